import { defineWords } from '../words/define-words.ts'

export const webhooksWords = defineWords({
  en: { title: 'Webhooks' },
  ar: { title: 'نقاط الاستقبال' },
})
