/** What stands where a caller withholds their number: whoever is called so may be anybody. */

/** Numbers that spell a word on the keys of a phone: ANONYMOUS, RESTRICTED, BLOCKED, UNKNOWN, UNAVAILABLE. */
export const SPELLED_NUMBERS: readonly string[] = [
  '266696687',
  '7378742833',
  '2562533',
  '8656696',
  '86282452253',
]

/** Of a SIP address the user, or the end of the host that is kept for what does not exist (RFC 3323, RFC 2606). */
export const NOBODYS_USERS: readonly string[] = [
  'anonymous',
  'restricted',
  'blocked',
  'unknown',
  'unavailable',
  'private',
  'withheld',
]
export const NOBODYS_HOSTS = '.invalid'
