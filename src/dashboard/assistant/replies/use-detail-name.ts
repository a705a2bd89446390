import { useWords } from '../../words/use-words.tsx'
import { detailWords } from './words-details.ts'

/** Which rule of the code decided, in words; one that a newer service knows by its code. */
export function useDetailName(): (detail: string) => string {
  const t = useWords(detailWords)
  return (detail) =>
    Object.hasOwn(detailWords.en, detail) ? t(detail as keyof typeof detailWords.en) : detail
}
