/**
 * Alternative notations of a line besides its key. `form` matches a whole number, and `key` is the replacement for
 * `String.replace` that gives the key.
 */
const OTHER_FORMS: readonly { form: RegExp; key: string }[] = [
  // Brazil put a 9 before its mobile numbers; WhatsApp shows many without it. Landlines begin with 2 to 5.
  { form: /^55(?<area>\d{2})(?<line>[6-9]\d{7})$/, key: '55$<area>9$<line>' },
  // Mexico dropped the 1 of its mobile numbers; WhatsApp still shows it.
  { form: /^521(?<line>\d{10})$/, key: '52$<line>' },
  // Argentinian mobile numbers have a 9 in calls from abroad.
  { form: /^54(?<line>\d{10})$/, key: '549$<line>' },
]

/**
 * Returns the digits for comparing numbers, which are equal for all notations of a line. `digits` are those of E.164
 * without the `+`. A key is never shown or dialled.
 */
export function numberKey(digits: string): string {
  const other = OTHER_FORMS.find(({ form }) => form.test(digits))
  return other ? digits.replace(other.form, other.key) : digits
}
