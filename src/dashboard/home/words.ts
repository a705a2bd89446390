import { defineWords } from '../words/define-words.ts'

export const homeWords = defineWords({
  en: { title: 'Home' },
  ar: { title: 'الرئيسية' },
})
