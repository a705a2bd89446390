import { defineWords } from '../words/define-words.ts'

export const signInWords = defineWords({
  en: { sign_in: 'Sign in', email: 'E-mail', password: 'Password' },
  ar: { sign_in: 'دخول', email: 'البريد الإلكتروني', password: 'كلمة المرور' },
})
