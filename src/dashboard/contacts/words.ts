import { defineWords } from '../words/define-words.ts'

export const contactsWords = defineWords({
  en: { title: 'Contacts' },
  ar: { title: 'جهات الاتصال' },
})
