import { defineWords } from '../words/define-words.ts'

export const appointmentsWords = defineWords({
  en: { title: 'Appointments' },
  ar: { title: 'المواعيد' },
})
