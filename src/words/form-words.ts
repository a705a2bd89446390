/** What the form says that merchants put into their websites. */
import type { Language } from '../vocabulary/hooks.ts'

type FormWords = {
  title: string
  lead: string
  name: string
  email: string
  phone: string
  message: string
  send: string
  sent: string
  sentText: string
  /** Read by nobody but what fills in every field. */
  trap: string
}

export const FORM_WORDS: Record<Language, FormWords> = {
  en: {
    title: 'Write to us',
    lead: 'Leave an e-mail address or a phone number, and we will answer.',
    name: 'Your name',
    email: 'E-mail',
    phone: 'Phone, with the country code',
    message: 'Your message',
    send: 'Send',
    sent: 'Thank you',
    sentText: 'Your message is here. We will answer soon.',
    trap: 'Leave this empty',
  },
  ar: {
    title: 'راسلنا',
    lead: 'اترك بريدك الإلكتروني أو رقم هاتفك وسنرد عليك.',
    name: 'اسمك',
    email: 'البريد الإلكتروني',
    phone: 'الهاتف مع رمز الدولة',
    message: 'رسالتك',
    send: 'أرسل',
    sent: 'شكرًا لك',
    sentText: 'وصلت رسالتك، وسنرد عليك قريبًا.',
    trap: 'اترك هذا فارغًا',
  },
}
