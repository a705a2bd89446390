import { defineWords } from '../../../core/words/define-words.ts'

export const instagramWords = defineWords({
  en: {
    connect: 'Connect an Instagram account',
    lead: 'Messages to a professional account. You need a Meta app with Instagram set up. It takes about ten minutes.',
    given: '1. Details from Meta',
    needed: '2. Set up the webhook at Meta',
    try_it: 'Send a message to the account from another one. It arrives in the inbox.',
    automatic:
      'In the Instagram app, allow access to messages under Settings, Messages, Connected tools. Switch off its automatic replies: they count as replies from the owner.',
    login: 'Signed in with',
    login_where:
      'Who issued the access token: the Instagram account itself, or the Facebook page linked to it.',
    login_instagram: 'Instagram',
    login_facebook: 'Facebook page',
    instagramId: 'Instagram account ID',
    instagramId_where:
      'developers.facebook.com, your app, Instagram, API setup, under the account name. Starts with 1784.',
    accessToken: 'Access token',
    accessToken_where:
      'Generate it on the same page. It needs instagram_business_manage_messages, or for a page, instagram_manage_messages and pages_messaging. Instagram tokens expire after 60 days.',
    appSecret: 'App secret',
    appSecret_where:
      'For Instagram sign-in: the Instagram app secret under API setup. For a Facebook page: your app, App settings, Basic.',
  },
  ar: {
    connect: 'ربط حساب إنستغرام',
    lead: 'رسائل حساب احترافي (Professional). يلزم تطبيق لدى Meta مفعّل فيه Instagram. يستغرق الإعداد نحو عشر دقائق.',
    given: '1. ما تحصل عليه من Meta',
    needed: '2. ما تحتاج إليه Meta',
    try_it: 'أرسل رسالة إلى الحساب من حساب آخر، وستظهر في المحادثات.',
    automatic:
      'في تطبيق إنستغرام اسمح بالوصول إلى الرسائل: الإعدادات، الرسائل، الأدوات المرتبطة. وأوقف الردود التلقائية فيه، لأنها تُعد ردودًا من صاحب الحساب.',
    login: 'تسجيل الدخول عبر',
    login_where: 'مصدر رمز الوصول: حساب إنستغرام نفسه، أو صفحة فيسبوك المرتبطة به.',
    login_instagram: 'إنستغرام',
    login_facebook: 'فيسبوك، عبر صفحته',
    instagramId: 'معرّف حساب إنستغرام',
    instagramId_where:
      'في developers.facebook.com: تطبيقك، Instagram، API setup، تحت اسم الحساب. يبدأ بالرقم 1784.',
    accessToken: 'رمز الوصول',
    accessToken_where:
      'أنشئه من الصفحة نفسها. يلزمه إذن instagram_business_manage_messages، أو عبر صفحة: instagram_manage_messages وpages_messaging. ينتهي رمز إنستغرام بعد 60 يومًا.',
    appSecret: 'المفتاح السري للتطبيق',
    appSecret_where:
      'عبر إنستغرام: Instagram app secret من صفحة API setup. وعبر صفحة: تطبيقك، App settings، Basic.',
  },
})
