import { defineWords } from '../../words/define-words.ts'

export const messengerWords = defineWords({
  en: {
    connect: 'Connect a Facebook page',
    lead: 'Messages to your page in Messenger. You need an app at Meta with Messenger, and a page. It takes ten minutes.',
    given: '1. What Meta gives you',
    needed: '2. What Meta needs from you',
    try_it: 'Write a message to your page from your own account: it arrives in the inbox.',
    automatic:
      'Switch off the automatic replies of the page’s own inbox: they count as answers of its owner, and keep flows and the assistant out.',
    pageId: 'Page ID',
    pageId_where: 'Your page on Facebook: About, Page transparency. Digits only.',
    accessToken: 'Page access token',
    accessToken_where:
      'developers.facebook.com, your app, Messenger, API setup: add the page, then generate its token. It needs pages_messaging and pages_manage_metadata.',
    appSecret: 'App secret',
    appSecret_where: 'Your app, App settings, Basic.',
  },
  ar: {
    connect: 'ربط صفحة فيسبوك',
    lead: 'رسائل صفحتك في ماسنجر. يلزم تطبيق في Meta مع Messenger وصفحة. يستغرق عشر دقائق.',
    given: '1. ما تعطيك Meta',
    needed: '2. ما تحتاجه Meta منك',
    try_it: 'اكتب رسالة إلى صفحتك من حسابك: تصل إلى المحادثات.',
    automatic:
      'أوقف الردود الآلية في صندوق وارد الصفحة نفسها: تُعد ردودًا من مالكها، فتُبقي المسارات والمساعد خارج المحادثة.',
    pageId: 'معرّف الصفحة',
    pageId_where: 'في صفحتك على فيسبوك: حول، شفافية الصفحة. أرقام فقط.',
    accessToken: 'رمز وصول الصفحة',
    accessToken_where:
      'في developers.facebook.com: تطبيقك، Messenger، API setup: أضف الصفحة ثم أنشئ رمزها. يلزمه pages_messaging وpages_manage_metadata.',
    appSecret: 'المفتاح السري للتطبيق',
    appSecret_where: 'في تطبيقك: App settings، Basic.',
  },
})
