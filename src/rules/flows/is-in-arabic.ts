/** Whether a text is written in Arabic, as far as its first letters tell. */
export function isInArabic(text: string): boolean {
  return /^\P{L}*\p{Script=Arabic}/u.test(text)
}
