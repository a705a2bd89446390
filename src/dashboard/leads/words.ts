import { defineWords } from '../words/define-words.ts'

export const leadsWords = defineWords({
  en: { title: 'Leads' },
  ar: { title: 'العملاء المحتملون' },
})
