import { defineWords } from '../words/define-words.ts'

export const runsWords = defineWords({
  en: { title: 'Runs' },
  ar: { title: 'التنفيذات' },
})
