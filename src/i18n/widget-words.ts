/** Texts of the widget for visitors of a website. */
import type { Language } from '../core/vocabulary/hooks.ts'

type WidgetWords = {
  aShop: string
  title: (shop: string) => string
  open: string
  close: string
  /** `{n}` is the number. */
  unread: string
  greeting: string
  talk: string
  earlier: string
  yourMessage: string
  attach: string
  send: string
  name: string
  email: string
  optional: string
  you: string
  shop: string
  offline: string
  sending: string
  notSent: string
  again: string
  missing: string
  wrongEmail: string
  tooLong: string
  fileTooLarge: string
  fileUnreadable: string
  tooMany: string
  failed: string
  gone: string
  save: string
  picture: string
  noMessage: string
}

export const WIDGET_WORDS: Record<Language, WidgetWords> = {
  en: {
    aShop: 'Us',
    title: (shop) => `Chat with ${shop}`,
    open: 'Open chat',
    close: 'Close chat',
    unread: 'Open chat, {n} unread',
    greeting: 'Hi! How can we help?',
    talk: 'Conversation',
    earlier: 'Load earlier messages',
    yourMessage: 'Your message',
    attach: 'Attach file',
    send: 'Send',
    name: 'Your name',
    email: 'Your email',
    optional: 'optional',
    you: 'You',
    shop: 'The shop',
    offline: 'You’re offline. Messages are sent when you’re back online.',
    sending: 'Sending…',
    notSent: 'Not sent',
    again: 'Try again',
    missing: 'This field is required',
    wrongEmail: 'Enter an email address such as name@example.com',
    tooLong: '{count} characters; the limit is {most}',
    fileTooLarge: 'Files can be at most {most} MB',
    fileUnreadable: 'This file can no longer be read. Choose it again.',
    tooMany: 'Too many messages. Try again in a minute.',
    failed: 'Something went wrong. Try again in a moment.',
    gone: 'This chat has ended.',
    save: 'Save',
    picture: 'Image',
    noMessage: 'This message can’t be shown',
  },
  ar: {
    aShop: 'المتجر',
    title: (shop) => `دردشة مع ${shop}`,
    open: 'فتح الدردشة',
    close: 'إغلاق الدردشة',
    unread: 'فتح الدردشة، الرسائل غير المقروءة: {n}',
    greeting: 'أهلًا بك! كيف نساعدك؟',
    talk: 'المحادثة',
    earlier: 'رسائل أقدم',
    yourMessage: 'رسالتك',
    attach: 'إرفاق ملف',
    send: 'إرسال',
    name: 'اسمك',
    email: 'بريدك الإلكتروني',
    optional: 'اختياري',
    you: 'أنت',
    shop: 'المتجر',
    offline: 'لا يوجد اتصال. سيُرسل ما تكتبه عند عودته.',
    sending: 'جارٍ الإرسال…',
    notSent: 'لم تُرسل',
    again: 'إعادة المحاولة',
    missing: 'هذا الحقل مطلوب',
    wrongEmail: 'اكتب بريدًا إلكترونيًا مثل name@example.com',
    tooLong: 'الحد الأقصى للأحرف {most}، والعدد الآن {count}',
    fileTooLarge: 'حجم الملف أكبر من {most} ميغابايت',
    fileUnreadable: 'لم يعد من الممكن قراءة الملف. اختره مرة أخرى.',
    tooMany: 'رسائل كثيرة. انتظر دقيقة.',
    failed: 'لم يتم ذلك. أعد المحاولة بعد قليل.',
    gone: 'انتهت هذه الدردشة.',
    save: 'حفظ',
    picture: 'صورة',
    noMessage: 'رسالة لا يمكن عرضها',
  },
}
