import { defineWords } from '../words/define-words.ts'
import { useWords } from '../words/use-words.tsx'
import { visitorNumber } from './visitor-number.ts'

const words = defineWords({
  en: { numbered: 'Website visitor {number}', visitor: 'Website visitor' },
  ar: { numbered: 'زائر الموقع {number}', visitor: 'زائر الموقع' },
})

/** Names a visitor of the website who has given no name, by the conversation that they began. */
export function useVisitorName(): (conversationId: string | null) => string {
  const t = useWords(words)
  return (conversationId) =>
    conversationId === null
      ? t('visitor')
      : t('numbered', { number: visitorNumber(conversationId) })
}
