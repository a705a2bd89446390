import { defineWords } from '../words/define-words.ts'

export const developerToolsWords = defineWords({
  en: { title: 'Developer tools' },
  ar: { title: 'أدوات المطوّر' },
})
