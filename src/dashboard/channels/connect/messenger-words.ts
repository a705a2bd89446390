import { defineWords } from '../../../core/words/define-words.ts'

export const messengerWords = defineWords({
  en: {
    connect: 'Connect a Facebook page',
    lead: 'Messages to your page in Messenger. You need a Facebook page and a Meta app with Messenger set up. It takes about ten minutes.',
    given: '1. Details from Meta',
    needed: '2. Set up the webhook at Meta',
    try_it: 'Send a message to your page from your own account. It arrives in the inbox.',
    automatic:
      'Switch off automatic replies in the page’s own inbox. They count as replies from the owner, and keep flows and the assistant out of the conversation.',
    pageId: 'Page ID',
    pageId_where: 'Your page on Facebook, About, Page transparency. Digits only.',
    accessToken: 'Page access token',
    accessToken_where:
      'developers.facebook.com, your app, Messenger, API setup: add the page, then generate its token. It needs pages_messaging and pages_manage_metadata.',
    appSecret: 'App secret',
    appSecret_where: 'Your app, App settings, Basic.',
  },
  ar: {
    connect: 'ربط صفحة فيسبوك',
    lead: 'رسائل صفحتك في ماسنجر. يلزم تطبيق لدى Meta مفعّل فيه Messenger، وصفحة. يستغرق الإعداد نحو عشر دقائق.',
    given: '1. ما تحصل عليه من Meta',
    needed: '2. ما تحتاج إليه Meta',
    try_it: 'أرسل رسالة إلى صفحتك من حسابك، وستظهر في المحادثات.',
    automatic:
      'أوقف الردود التلقائية في صندوق وارد الصفحة، لأنها تُعد ردودًا من صاحب الصفحة، فتتوقف المسارات والمساعد في تلك المحادثة.',
    pageId: 'معرّف الصفحة',
    pageId_where: 'في صفحتك على فيسبوك: حول، شفافية الصفحة. أرقام فقط.',
    accessToken: 'رمز وصول الصفحة',
    accessToken_where:
      'في developers.facebook.com: تطبيقك، Messenger، API setup: أضف الصفحة ثم أنشئ رمزها. يلزمه إذنا pages_messaging وpages_manage_metadata.',
    appSecret: 'المفتاح السري للتطبيق',
    appSecret_where: 'في تطبيقك: App settings، Basic.',
  },
})
