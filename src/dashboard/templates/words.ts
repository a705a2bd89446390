import { defineWords } from '../words/define-words.ts'

export const templatesWords = defineWords({
  en: { title: 'Templates' },
  ar: { title: 'القوالب' },
})
