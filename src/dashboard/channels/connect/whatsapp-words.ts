import { defineWords } from '../../words/define-words.ts'

export const whatsAppWords = defineWords({
  en: {
    connect: 'Connect a WhatsApp number',
    lead: 'You need an app at Meta with WhatsApp, and a number in it. It takes ten minutes.',
    given: '1. What Meta gives you',
    needed: '2. What Meta needs from you',
    try_it: 'Write a message to the number from your own phone: it arrives in the inbox.',
    displayNumber: 'Phone number',
    displayNumber_where: 'As customers dial it, with its country code: 966501234567',
    phoneNumberId: 'Phone number ID',
    phoneNumberId_where: 'developers.facebook.com, your app, WhatsApp, API setup.',
    businessAccountId: 'WhatsApp Business account ID',
    businessAccountId_where: 'On the same page, under the phone number ID.',
    accessToken: 'Access token',
    accessToken_where:
      'business.facebook.com, System users: a token without end, with whatsapp_business_messaging and whatsapp_business_management. The one on the setup page ends after 24 hours.',
    appSecret: 'App secret',
    appSecret_where: 'Your app, App settings, Basic.',
    coexistence: 'Also used in the WhatsApp Business app',
    coexistence_lead:
      'What the owner answers there stands in the inbox, and flows keep out of that conversation. The number sends at most 20 messages a second.',
    history: 'Chats of before',
    history_told: 'Last told of',
    history_declined: 'The owner does not share the chats of before.',
  },
  ar: {
    connect: 'ربط رقم واتساب',
    lead: 'يلزم تطبيق في Meta مع واتساب ورقم فيه. يستغرق عشر دقائق.',
    given: '1. ما تعطيك Meta',
    needed: '2. ما تحتاجه Meta منك',
    try_it: 'اكتب رسالة إلى الرقم من هاتفك: تصل إلى المحادثات.',
    displayNumber: 'رقم الهاتف',
    displayNumber_where: 'كما يطلبه العملاء مع رمز البلد: 966501234567',
    phoneNumberId: 'معرّف رقم الهاتف',
    phoneNumberId_where: 'في developers.facebook.com: تطبيقك، WhatsApp، API setup.',
    businessAccountId: 'معرّف حساب واتساب للأعمال',
    businessAccountId_where: 'في الصفحة نفسها تحت معرّف رقم الهاتف.',
    accessToken: 'رمز الوصول',
    accessToken_where:
      'في business.facebook.com، System users: رمز لا ينتهي بصلاحيتي whatsapp_business_messaging وwhatsapp_business_management. الرمز في صفحة الإعداد ينتهي بعد 24 ساعة.',
    appSecret: 'المفتاح السري للتطبيق',
    appSecret_where: 'في تطبيقك: App settings، Basic.',
    coexistence: 'مستعمل أيضًا في تطبيق واتساب للأعمال',
    coexistence_lead:
      'ما يجيب به المالك هناك يظهر في المحادثات، وتبتعد المسارات عن تلك المحادثة. يرسل الرقم 20 رسالة في الثانية على الأكثر.',
    history: 'المحادثات السابقة',
    history_told: 'آخر خبر عنها',
    history_declined: 'لا يشارك المالك المحادثات السابقة.',
  },
})
