import { defineWords } from '../words/define-words.ts'

export const broadcastsWords = defineWords({
  en: { title: 'Broadcasts' },
  ar: { title: 'الرسائل الجماعية' },
})
