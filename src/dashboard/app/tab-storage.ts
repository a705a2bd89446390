const KEPT_FOR = 'wasla.kept-for'

/**
 * Prepares the tab's storage for a person: clears what it has stored for another one, such as drafts. A member whose
 * session expired finds their drafts again; another one who signs in does not see them.
 */
export function keepFor(personId: string): void {
  if (sessionStorage.getItem(KEPT_FOR) === personId) return
  sessionStorage.clear()
  sessionStorage.setItem(KEPT_FOR, personId)
}

/** Clears the tab's storage at sign-out. */
export function forgetKept(): void {
  sessionStorage.clear()
}
