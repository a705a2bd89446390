import { useWords } from '../../words/use-words.tsx'
import { detailWords } from './words-details.ts'

/** Which rule of the code decided, or why a model gave no answer, in words; what a newer service says by its code. */
export function useDetailName(): (detail: string) => string {
  const t = useWords(detailWords)
  return (detail) =>
    Object.hasOwn(detailWords.en, detail) ? t(detail as keyof typeof detailWords.en) : detail
}
