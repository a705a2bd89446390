const PERSON_KEY = 'wasla.kept-for'

/**
 * Clears what the tab has stored for another person, such as drafts, and records whose it is. A member whose session
 * expired finds their drafts again; another one who signs in does not see them.
 */
export function prepareTabStorage(personId: string): void {
  if (sessionStorage.getItem(PERSON_KEY) === personId) return
  sessionStorage.clear()
  sessionStorage.setItem(PERSON_KEY, personId)
}

/** Clears the tab's storage at sign-out. */
export function clearTabStorage(): void {
  sessionStorage.clear()
}
