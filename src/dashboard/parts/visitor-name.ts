import { defineWords } from '../../core/words/define-words.ts'
import { useWords } from '../words/use-words.tsx'
import { visitorNumber } from './visitor-number.ts'

const words = defineWords({
  en: { numbered: 'Website visitor {number}', visitor: 'Website visitor' },
  ar: { numbered: 'زائر الموقع {number}', visitor: 'زائر الموقع' },
})

/** Returns a function that names a visitor without a name by the number of their conversation. */
export function useVisitorName(): (conversationId: string | null) => string {
  const t = useWords(words)
  return (conversationId) =>
    conversationId === null
      ? t('visitor')
      : t('numbered', { number: visitorNumber(conversationId) })
}
