import { defineWords } from '../../words/define-words.ts'

export const telegramWords = defineWords({
  en: {
    connect: 'Connect a Telegram bot',
    lead: 'You need a Telegram account. BotFather makes a bot in a minute, and it costs nothing.',
    given: '1. What BotFather gives you',
    try_it:
      'Open the bot in Telegram, tap Start and write a message: it arrives in the inbox within a second.',
    botToken: 'Bot token',
    botToken_where:
      'In Telegram write /newbot to @BotFather and choose a name. Its answer has the token: digits, a colon and letters.',
    delivery: 'How messages come',
    delivery_where:
      'Asking needs no public address. Posting needs one with https, on port 443, 80, 88 or 8443. Telegram is told it by itself.',
    polling: 'The service asks Telegram',
    webhook: 'Telegram posts to the service',
  },
  ar: {
    connect: 'ربط بوت تيليجرام',
    lead: 'يلزم حساب في تيليجرام. يصنع BotFather البوت في دقيقة وبلا تكلفة.',
    given: '1. ما يعطيك BotFather',
    try_it: 'افتح البوت في تيليجرام واضغط «ابدأ» واكتب رسالة: تصل إلى المحادثات في ثانية.',
    botToken: 'رمز البوت',
    botToken_where:
      'اكتب ‎/newbot إلى ‎@BotFather في تيليجرام واختر اسمًا. في ردّه الرمز: أرقام ثم نقطتان ثم حروف.',
    delivery: 'كيف تصل الرسائل',
    delivery_where:
      'طلبها لا يلزمه عنوان عام. أما الإرسال فيلزمه عنوان https على المنفذ 443 أو 80 أو 88 أو 8443. يُبلَّغ به تيليجرام تلقائيًا.',
    polling: 'تطلبها الخدمة من تيليجرام',
    webhook: 'يرسلها تيليجرام إلى الخدمة',
  },
})
