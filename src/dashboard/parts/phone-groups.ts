/** Calling codes with two digits. 1 and 7 have one digit, all others have three. */
const SHORT_CODES = new Set(
  (
    '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 ' +
    '81 82 84 86 90 91 92 93 94 95 98'
  ).split(' '),
)

/**
 * Returns a number in international form in groups, as it is read aloud: the calling code, the last four digits, the
 * three before them, and the rest. Another text is one group.
 */
export function phoneGroups(phone: string): string[] {
  if (!/^\+\d{7,15}$/.test(phone)) return [phone]
  const digits = phone.slice(1)
  const codeLength = /^[17]/.test(digits) ? 1 : SHORT_CODES.has(digits.slice(0, 2)) ? 2 : 3
  const code = digits.slice(0, codeLength)
  const national = digits.slice(codeLength)
  const last = national.slice(-4)
  const before = national.slice(0, -4)
  const middle = before.length <= 4 ? before : before.slice(-3)
  return [`+${code}`, before.slice(0, before.length - middle.length), middle, last].filter(Boolean)
}
