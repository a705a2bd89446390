import { defineWords } from '../words/define-words.ts'

export const inboxWords = defineWords({
  en: { title: 'Inbox' },
  ar: { title: 'المحادثات' },
})
