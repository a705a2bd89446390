/**
 * In which script a text is written, by most of its letters: links and addresses are left out, and what is
 * half and half is Arabic with foreign names in it. Null of a text without letters.
 *
 * Spec: Assistant › Language.
 */
export type Script = 'ar' | 'latin' | 'other'

const NO_WORDS = /(?:https?:\/\/|www\.)\S+|[^\s@]{1,64}@\S+/giu

export function scriptOf(text: string): Script | null {
  const words = text.replace(NO_WORDS, ' ')
  const count = (letters: RegExp): number => words.match(letters)?.length ?? 0
  const arabic = count(/(?=\p{L})\p{Script=Arabic}/gu)
  const latin = count(/(?=\p{L})\p{Script=Latin}/gu)
  const other = count(/\p{L}/gu) - arabic - latin
  if (arabic + latin + other === 0) return null
  if (other > arabic && other > latin) return 'other'
  return latin > arabic ? 'latin' : 'ar'
}

/**
 * Whether a text is Arabic in Latin letters, where digits stand for the sounds that those have no letter for. A
 * word all in capitals is a code, as the references of appointments and orders are. Spec: Assistant › Language.
 */
export function isArabizi(text: string): boolean {
  const count = (words: RegExp): number =>
    text.match(words)?.filter((word) => word !== word.toUpperCase()).length ?? 0
  const within = count(/\b[a-z]+[235679][a-z]{2,}\b|\b[a-z]{2,}[235679][a-z]+\b/gi)
  const before = count(/\b[235679][a-z]{3,}\b/gi)
  return within > 0 || before > 1
}
