/** Values in place of a withheld number. Callers with such a value are unknown, and may be different people. */

/** Numbers that spell a word on the keys of a phone: ANONYMOUS, RESTRICTED, BLOCKED, UNKNOWN, UNAVAILABLE. */
export const SPELLED_NUMBERS: readonly string[] = [
  '266696687',
  '7378742833',
  '2562533',
  '8656696',
  '86282452253',
]

/** User parts of SIP addresses of withheld callers (RFC 3323, RFC 2606). */
export const WITHHELD_USERS: readonly string[] = [
  'anonymous',
  'restricted',
  'blocked',
  'unknown',
  'unavailable',
  'private',
  'withheld',
]
/** The end of hosts that are reserved for withheld callers. */
export const WITHHELD_HOST_ENDING = '.invalid'
