import { useWords } from '../../words/use-words.tsx'
import { detailWords } from './words-details.ts'

/**
 * Returns a function that names the rule that decided, or the failure of a model. Codes that this version does not know
 * stay unchanged.
 */
export function useDetailName(): (detail: string) => string {
  const t = useWords(detailWords)
  return (detail) =>
    Object.hasOwn(detailWords.en, detail) ? t(detail as keyof typeof detailWords.en) : detail
}
