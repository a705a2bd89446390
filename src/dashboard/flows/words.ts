import { defineWords } from '../words/define-words.ts'

export const flowsWords = defineWords({
  en: { title: 'Flows' },
  ar: { title: 'المسارات' },
})
