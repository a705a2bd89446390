/** Returns whether a text is written in Arabic, judged by its first letter. */
export function isInArabic(text: string): boolean {
  return /^\P{L}*\p{Script=Arabic}/u.test(text)
}
