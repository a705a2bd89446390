import { defineWords } from '../words/define-words.ts'

export const accountWords = defineWords({
  en: { title: 'Usage' },
  ar: { title: 'الاستخدام' },
})
