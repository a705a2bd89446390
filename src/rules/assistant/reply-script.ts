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
