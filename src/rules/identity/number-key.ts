/**
 * The forms in which one line is written besides the one that is its key. `form` matches a whole number, and `key` says
 * in the terms of `String.replace` what the key of such a number is. A form that is new is one more row.
 */
const OTHER_FORMS: readonly { form: RegExp; key: string }[] = [
  // Brazil put a 9 before its mobile numbers; WhatsApp shows many without it. Landlines begin with 2 to 5.
  { form: /^55(?<area>\d{2})(?<line>[6-9]\d{7})$/, key: '55$<area>9$<line>' },
  // Mexico dropped the 1 of its mobile numbers; WhatsApp still shows it.
  { form: /^521(?<line>\d{10})$/, key: '52$<line>' },
  // Argentina has a 9 before its mobile numbers where they are called from abroad.
  { form: /^54(?<line>\d{10})$/, key: '549$<line>' },
]

/**
 * Returns the digits by which a number is compared: the same of all forms of one line. `digits` are those of E.164
 * without the `+`. A key is never shown or dialled.
 */
export function numberKey(digits: string): string {
  const other = OTHER_FORMS.find(({ form }) => form.test(digits))
  return other ? digits.replace(other.form, other.key) : digits
}
