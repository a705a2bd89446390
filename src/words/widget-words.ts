/** What the widget says to visitors of a merchant's website. */
import type { Language } from '../vocabulary/hooks.ts'

type WidgetWords = {
  aShop: string
  title: (shop: string) => string
  open: string
  close: string
  /** `{n}` is how many. */
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
    open: 'Open the chat',
    close: 'Close the chat',
    unread: 'Open the chat, unread messages: {n}',
    greeting: 'Hello! How can we help?',
    talk: 'Conversation',
    earlier: 'Earlier messages',
    yourMessage: 'Your message',
    attach: 'Attach a file',
    send: 'Send',
    name: 'Your name',
    email: 'Your e-mail',
    optional: 'optional',
    you: 'You',
    shop: 'The shop',
    offline: 'No connection. What you write is sent when it is back.',
    sending: 'Sending…',
    notSent: 'Not sent',
    again: 'Try again',
    missing: 'Fill this in first',
    wrongEmail: 'Write an e-mail address such as name@example.com',
    tooLong: 'At most {most} characters; this has {count}',
    fileTooLarge: 'The file is larger than {most} MB',
    fileUnreadable: 'The file can no longer be read. Choose it again.',
    tooMany: 'Too many messages. Wait a minute.',
    failed: 'This did not work. Try again in a moment.',
    gone: 'This chat is closed.',
    save: 'Save',
    picture: 'Picture',
    noMessage: 'A message that cannot be shown',
  },
  ar: {
    aShop: 'نحن',
    title: (shop) => `محادثة مع ${shop}`,
    open: 'افتح المحادثة',
    close: 'أغلق المحادثة',
    unread: 'افتح المحادثة، رسائل غير مقروءة: {n}',
    greeting: 'أهلًا بك! كيف نساعدك؟',
    talk: 'المحادثة',
    earlier: 'رسائل أقدم',
    yourMessage: 'رسالتك',
    attach: 'أرفق ملفًا',
    send: 'أرسل',
    name: 'اسمك',
    email: 'بريدك الإلكتروني',
    optional: 'اختياري',
    you: 'أنت',
    shop: 'المتجر',
    offline: 'لا يوجد اتصال. سيُرسل ما تكتبه حين يعود.',
    sending: 'جارٍ الإرسال…',
    notSent: 'لم تُرسل',
    again: 'حاول مرة أخرى',
    missing: 'املأ هذا الحقل أولًا',
    wrongEmail: 'اكتب بريدًا إلكترونيًا مثل name@example.com',
    tooLong: 'الحد الأقصى {most} حرفًا، وهذه {count}',
    fileTooLarge: 'حجم الملف أكبر من {most} ميغابايت',
    fileUnreadable: 'لم تعد قراءة الملف ممكنة. اختره مرة أخرى.',
    tooMany: 'رسائل كثيرة. انتظر دقيقة.',
    failed: 'لم ينجح ذلك. حاول بعد قليل.',
    gone: 'هذه المحادثة مغلقة.',
    save: 'احفظ',
    picture: 'صورة',
    noMessage: 'رسالة لا يمكن عرضها',
  },
}
