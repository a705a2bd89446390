/**
 * Detects the script of a text. Links and addresses are ignored. An even mix counts as Arabic with foreign names.
 *
 * Spec: Assistant › Language.
 */

/** A script: Arabic, Latin or any other. */
export type Script = 'ar' | 'latin' | 'other'

const NO_WORDS = /(?:https?:\/\/|www\.)\S+|[^\s@]{1,64}@\S+/giu

/** Returns the script in which most letters of a text are: Arabic, Latin or another; null without letters. */
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
 * Returns whether a text is Arabic in Latin letters, with digits for sounds that these lack. A word in capitals is a
 * code, such as the reference of an appointment or order. Spec: Assistant › Language.
 */
export function isArabizi(text: string): boolean {
  const count = (words: RegExp): number =>
    text.match(words)?.filter((word) => word !== word.toUpperCase()).length ?? 0
  const within = count(/\b[a-z]+[235679][a-z]{2,}\b|\b[a-z]{2,}[235679][a-z]+\b/gi)
  const before = count(/\b[235679][a-z]{3,}\b/gi)
  return within > 0 || before > 1
}
