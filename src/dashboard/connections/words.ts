import { defineWords } from '../words/define-words.ts'

export const connectionsWords = defineWords({
  en: { title: 'Connections' },
  ar: { title: 'الأنظمة المرتبطة' },
})
