const KEPT_FOR = 'wasla.kept-for'

/**
 * What the tab has kept of somebody's work, drafts and copied steps, is theirs alone: a session that ran out
 * finds it again, and whoever signs in after somebody else finds nothing.
 */
export function keepFor(personId: string): void {
  if (sessionStorage.getItem(KEPT_FOR) === personId) return
  sessionStorage.clear()
  sessionStorage.setItem(KEPT_FOR, personId)
}

/** Who signs out leaves nothing behind. */
export function forgetKept(): void {
  sessionStorage.clear()
}
