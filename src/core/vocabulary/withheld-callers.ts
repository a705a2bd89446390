/** Values in place of a withheld number; callers with such a value may be anybody. */

/** Numbers that spell a word on the keys of a phone: ANONYMOUS, RESTRICTED, BLOCKED, UNKNOWN, UNAVAILABLE. */
export const SPELLED_NUMBERS: readonly string[] = [
  '266696687',
  '7378742833',
  '2562533',
  '8656696',
  '86282452253',
]

/** The user part of a SIP address, or the end of a reserved host (RFC 3323, RFC 2606). */
export const WITHHELD_USERS: readonly string[] = [
  'anonymous',
  'restricted',
  'blocked',
  'unknown',
  'unavailable',
  'private',
  'withheld',
]
export const WITHHELD_HOST_ENDING = '.invalid'
