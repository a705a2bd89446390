import { defineWords } from '../../../core/words/define-words.ts'

export const whatsAppWords = defineWords({
  en: {
    connect: 'Connect a WhatsApp number',
    lead: 'You need a Meta app with WhatsApp, and a phone number in it. It takes about ten minutes.',
    given: '1. Details from Meta',
    needed: '2. Set up the webhook at Meta',
    try_it: 'Send a message to the number from your own phone. It arrives in the inbox.',
    displayNumber: 'Phone number',
    displayNumber_where: 'With the country code, as customers dial it: 966501234567',
    phoneNumberId: 'Phone number ID',
    phoneNumberId_where: 'developers.facebook.com, your app, WhatsApp, API setup.',
    businessAccountId: 'WhatsApp Business account ID',
    businessAccountId_where: 'On the same page, below the phone number ID.',
    accessToken: 'Access token',
    accessToken_where:
      'business.facebook.com, System users: a token that never expires, with whatsapp_business_messaging and whatsapp_business_management. The one on the API setup page expires after 24 hours.',
    appSecret: 'App secret',
    appSecret_where: 'Your app, App settings, Basic.',
    coexistence: 'Also used in the WhatsApp Business app',
    coexistence_lead:
      'Replies the owner sends from the app show up in the inbox, and flows stay out of that conversation. The number can send at most 20 messages per second.',
    history: 'Chat history',
    history_told: 'Last report',
    history_declined: 'The owner chose not to share chat history.',
  },
  ar: {
    connect: 'ربط رقم واتساب',
    lead: 'يلزم تطبيق لدى Meta مفعّل فيه واتساب، ورقم فيه. يستغرق الإعداد نحو عشر دقائق.',
    given: '1. ما تحصل عليه من Meta',
    needed: '2. ما تحتاج إليه Meta',
    try_it: 'أرسل رسالة إلى الرقم من هاتفك، وستظهر في المحادثات.',
    displayNumber: 'رقم الهاتف',
    displayNumber_where: 'كما يتصل به العملاء مع رمز الدولة: 966501234567',
    phoneNumberId: 'معرّف رقم الهاتف',
    phoneNumberId_where: 'في developers.facebook.com: تطبيقك، WhatsApp، API setup.',
    businessAccountId: 'معرّف حساب واتساب للأعمال',
    businessAccountId_where: 'في الصفحة نفسها تحت معرّف رقم الهاتف.',
    accessToken: 'رمز الوصول',
    accessToken_where:
      'في business.facebook.com، System users: رمز دائم بصلاحيتي whatsapp_business_messaging وwhatsapp_business_management. أما الرمز في صفحة الإعداد فينتهي بعد 24 ساعة.',
    appSecret: 'المفتاح السري للتطبيق',
    appSecret_where: 'في تطبيقك: App settings، Basic.',
    coexistence: 'مستخدم أيضًا في تطبيق واتساب للأعمال',
    coexistence_lead:
      'يظهر في المحادثات ما يرد به صاحب الرقم من التطبيق، وتتوقف المسارات في تلك المحادثة. يرسل الرقم 20 رسالة في الثانية بحد أقصى.',
    history: 'المحادثات السابقة',
    history_told: 'آخر تحديث',
    history_declined: 'لم يوافق صاحب الرقم على مشاركة المحادثات السابقة.',
  },
})
