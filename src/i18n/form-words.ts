import { defineWords } from '../core/words/define-words.ts'

/** Texts of the form that merchants embed in their websites. */
export const formWords = defineWords({
  en: {
    title: 'Contact us',
    lead: 'Leave your email address or phone number and we’ll get back to you.',
    name: 'Your name',
    email: 'Email',
    phone: 'Phone (with country code)',
    message: 'Your message',
    send: 'Send',
    sent: 'Thank you',
    sentText: 'We’ve got your message and will get back to you soon.',
    // A hidden field that only robots fill in.
    trap: 'Leave this field empty',
  },
  ar: {
    title: 'راسلنا',
    lead: 'اترك بريدك الإلكتروني أو رقم هاتفك وسنرد عليك.',
    name: 'اسمك',
    email: 'البريد الإلكتروني',
    phone: 'رقم الهاتف مع رمز الدولة',
    message: 'رسالتك',
    send: 'إرسال',
    sent: 'شكرًا لك',
    sentText: 'وصلت رسالتك، وسنرد عليك قريبًا.',
    trap: 'اترك هذا الحقل فارغًا',
  },
})
