import { defineWords } from '../../words/define-words.ts'

export const instagramWords = defineWords({
  en: {
    connect: 'Connect an Instagram account',
    lead: 'Messages to a professional account. You need an app at Meta with Instagram. It takes ten minutes.',
    given: '1. What Meta gives you',
    needed: '2. What Meta needs from you',
    try_it: 'Write a message to the account from another one: it arrives in the inbox.',
    automatic:
      'In the Instagram app allow access to messages: Settings, Messages, Connected tools. Switch off its automatic replies: they count as answers of its owner.',
    login: 'Signed in with',
    login_where:
      'Who gave the access token: the Instagram account itself, or the Facebook page that it is linked to.',
    login_instagram: 'Instagram',
    login_facebook: 'Facebook, by its page',
    instagramId: 'Instagram account ID',
    instagramId_where:
      'developers.facebook.com, your app, Instagram, API setup: under the name of the account. Begins with 1784.',
    accessToken: 'Access token',
    accessToken_where:
      'On the same page: generate it. It needs instagram_business_manage_messages; of a page instagram_manage_messages and pages_messaging. One of Instagram ends after 60 days.',
    appSecret: 'App secret',
    appSecret_where:
      'With Instagram: the Instagram app secret of API setup. By a page: your app, App settings, Basic.',
  },
  ar: {
    connect: 'ربط حساب إنستغرام',
    lead: 'رسائل حساب مهني. يلزم تطبيق في Meta مع Instagram. يستغرق عشر دقائق.',
    given: '1. ما تعطيك Meta',
    needed: '2. ما تحتاجه Meta منك',
    try_it: 'اكتب رسالة إلى الحساب من حساب آخر: تصل إلى المحادثات.',
    automatic:
      'في تطبيق إنستغرام اسمح بالوصول إلى الرسائل: الإعدادات، الرسائل، الأدوات المرتبطة. وأوقف ردوده الآلية: تُعد ردودًا من مالكه.',
    login: 'الدخول عبر',
    login_where: 'من أعطى رمز الوصول: حساب إنستغرام نفسه، أو صفحة فيسبوك المرتبط بها.',
    login_instagram: 'إنستغرام',
    login_facebook: 'فيسبوك، عبر صفحته',
    instagramId: 'معرّف حساب إنستغرام',
    instagramId_where:
      'في developers.facebook.com: تطبيقك، Instagram، API setup: تحت اسم الحساب. يبدأ بـ 1784.',
    accessToken: 'رمز الوصول',
    accessToken_where:
      'في الصفحة نفسها: أنشئه. يلزمه instagram_business_manage_messages، وعبر صفحة instagram_manage_messages وpages_messaging. رمز إنستغرام ينتهي بعد 60 يومًا.',
    appSecret: 'المفتاح السري للتطبيق',
    appSecret_where:
      'مع إنستغرام: المفتاح السري لتطبيق Instagram في API setup. وعبر صفحة: تطبيقك، App settings، Basic.',
  },
})
