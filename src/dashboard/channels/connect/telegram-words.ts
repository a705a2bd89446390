import { defineWords } from '../../../core/words/define-words.ts'

export const telegramWords = defineWords({
  en: {
    connect: 'Connect a Telegram bot',
    lead: 'You need a Telegram account. Creating a bot with BotFather takes a minute and is free.',
    given: '1. Details from BotFather',
    try_it:
      'Open the bot in Telegram, tap Start and send a message. It arrives in the inbox within a second.',
    botToken: 'Bot token',
    botToken_where:
      'In Telegram, send /newbot to @BotFather and choose a name. Its reply contains the token: digits, a colon and letters.',
    delivery: 'How messages arrive',
    delivery_where:
      'Polling needs no public address. A webhook needs a public https address on port 443, 80, 88 or 8443, and is registered with Telegram automatically.',
    polling: 'Polling: the service asks Telegram for messages',
    webhook: 'Webhook: Telegram posts messages to the service',
  },
  ar: {
    connect: 'ربط بوت تيليجرام',
    lead: 'يلزم حساب في تيليجرام. أنشئ البوت عبر BotFather خلال دقيقة، مجانًا.',
    given: '1. ما تحصل عليه من BotFather',
    try_it: 'افتح البوت في تيليجرام واضغط «ابدأ» واكتب رسالة، وستظهر في المحادثات خلال ثانية.',
    botToken: 'رمز البوت',
    botToken_where:
      'أرسل ‎/newbot إلى ‎@BotFather في تيليجرام واختر اسمًا. في رده الرمز: أرقام ثم نقطتان ثم أحرف.',
    delivery: 'طريقة استلام الرسائل',
    delivery_where:
      'الطلب من تيليجرام لا يحتاج إلى رابط عام. أما الإرسال إلى الخدمة فيحتاج إلى رابط https على المنفذ 443 أو 80 أو 88 أو 8443، ويُسجَّل لدى تيليجرام تلقائيًا.',
    polling: 'تطلب الخدمة الرسائل من تيليجرام',
    webhook: 'يرسل تيليجرام الرسائل إلى الخدمة',
  },
})
