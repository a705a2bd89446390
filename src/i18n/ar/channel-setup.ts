import type { ChannelSetupFacts } from '../../core/facts/channel-setup.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

type ProviderSaid = ChannelSetupFacts['whatsapp_auth']

const fromProvider =
  (what: string) =>
  ({ said, providerCode }: ProviderSaid): string =>
    `${what}${said ? `. ردّه: ${inArabic(said)}` : ''} (${inArabic(providerCode)}).`

const META = { messenger: 'Messenger', instagram: 'Instagram' }

const fromMeta =
  (what: string) =>
  ({ product, ...said }: ChannelSetupFacts['meta_auth']): string =>
    fromProvider(what.replace('*', META[product]))(said)

export const AR_CHANNEL_SETUP: Catalog<ChannelSetupFacts> = {
  no_such_channel: () => 'هذه القناة غير موجودة في المشروع.',
  channel_changed: () => 'تغيّرت القناة أثناء تعديلك. راجعها مرة أخرى.',
  channel_off_by_member: () => 'أوقفها أحد الأعضاء.',
  channel_deleted: () => 'حذفها أحد الأعضاء.',
  channel_account_lost: ({ event }) => `رسالة المزوّد: ${inArabic(event)}.`,
  channel_in_use: ({ flows }) =>
    `هذه القناة مستخدمة في مسارات منشورة: ${flows.map(quotedInArabic).join('، ')}. انشرها على قناة أخرى أو احذفها أولًا.`,
  channel_country_unknown: () => 'دولة الرقم غير معروفة.',
  channel_connected_already: () => 'هذه القناة مرتبطة بالفعل، هنا أو في حساب آخر. احذفها هناك أولًا.',
  channel_is_another: () => 'هذه قناة أخرى لدى المزوّد. اربطها كقناة مستقلة.',
  channel_needs_credentials: () => 'القناة الأخرى لدى المزوّد تحتاج إلى بيانات الدخول.',
  channel_credentials_unreadable: ({ secrets }) =>
    secrets.length === 0
      ? 'تعذّرت قراءة ما حُفظ لهذه القناة. احفظها من جديد للبدء من أولها، أو اسأل مشغّل الخدمة.'
      : `تعذّرت قراءة بيانات الدخول لهذه القناة. أدخل ${secrets.map(inArabic).join('، ')} مرة أخرى، أو اسأل مشغّل الخدمة.`,
  simulator_not_running: () => 'المحاكي متوقف.',
  no_provider_of_type: ({ type }) => `لا يوجد في هذا الإصدار مزوّد لقنوات ${inArabic(type)}.`,
  type_not_connectable: ({ type }) => `لا يمكن في هذا الإصدار ربط قناة ${inArabic(type)}.`,
  risk_not_accepted: () =>
    'الربط برمز QR لا يقدّمه واتساب، وقد يقيّد الرقم أو يغلقه نهائيًا. اقبل المخاطر أولًا.',
  qr_bridge_not_set: () =>
    'لا يوجد جسر للأرقام المرتبطة برمز QR: يثبّته مشغّل الخدمة ويضبط WHATSAPP_QR_BRIDGE.',
  qr_bridge_away: ({ fault }) =>
    `لا يستجيب جسر الأرقام المرتبطة برمز QR ‏(${fault}). يلزم أن يشغّله مشغّل الخدمة.`,
  qr_bridge_strange: () =>
    'ما يستجيب على عنوان جسر الأرقام المرتبطة ليس جسرًا من هذا الإصدار. يلزم أن يتحقق منه مشغّل الخدمة.',
  qr_bridge_wrong_secret: () =>
    'رفض الجسر المفتاح السري. يلزم أن يضبط مشغّل الخدمة WHATSAPP_QR_BRIDGE_SECRET على مفتاح الجسر.',
  qr_scan_needed: () => 'بانتظار المسح من الهاتف: امسح الرمز في واتساب، الأجهزة المرتبطة.',
  qr_not_scanned: () => 'لم يُمسح الرمز في الوقت المحدد. أعد الربط للحصول على رمز جديد.',
  qr_connecting: ({ code }) => `تعذّر الوصول إلى واتساب الآن (${code})، والمحاولات مستمرة.`,
  qr_logged_out: () => 'أُلغي الربط من الهاتف، وحُذفت مفاتيحه هنا. أعد الربط وامسح رمزًا جديدًا.',
  qr_replaced: () => 'الربط نفسه مستخدم في مكان آخر. أنهِه هناك أولًا، ثم أعد الربط.',
  qr_banned: () => 'أغلق واتساب الرقم أو قيّده.',
  qr_other_number: ({ number }) =>
    `مُسح الرمز برقم آخر: هذه القناة للرقم ${inArabic(number)}. أعد الربط وامسح الرمز به، أو اربط قناة مستقلة للرقم الآخر.`,
  qr_number_taken: ({ number }) =>
    `الرقم ${inArabic(number)} مرتبط بقناة أخرى بالفعل. احذفها أولًا، أو امسح الرمز برقم آخر.`,
  channel_callback_unreachable: ({ url }) =>
    `بيانات الدخول صحيحة، لكن المزوّد لا يستطيع الوصول إلى ${inArabic(url)}. يلزم رابط https عام يضبطه مشغّل الخدمة في ${inArabic('BASE_URL')}، ثم أدخل الرابط الجديد لدى المزوّد.`,
  whatsapp_not_subscribed: () =>
    `الرقم يعمل، لكن حساب WhatsApp Business غير مشترك في أي تطبيق، فلا ترسل Meta رسائل العملاء. أضف اشتراك تطبيقك في الحساب (${inArabic('POST /{account}/subscribed_apps')})، ثم تحقق مرة أخرى.`,
  whatsapp_posts_elsewhere: ({ origin, url }) =>
    `الرقم يعمل، لكن Meta ترسل رسائل العملاء إلى رابط آخر في ${inArabic(origin)}. اضبط رابط الاستدعاء على ${inArabic(url)}، ثم تحقق مرة أخرى.`,
  whatsapp_subscription_unknown: fromProvider(
    'الرقم يعمل، لكن واتساب لا يخبر إن كان يرسل إلى هذه الخدمة. يلزم رمز الوصول الإذن whatsapp_business_management',
  ),
  telnyx_wrong_key: () =>
    'هذا ليس مفتاحًا عامًا من Telnyx: المفتاح من 44 حرفًا آخرها =، وتجده في Keys & Credentials ثم Public key.',
  telnyx_wrong_api_key: () => 'رفضت Telnyx مفتاح API. خذ مفتاحًا من Keys & Credentials.',
  whatsapp_auth: fromProvider('رفض واتساب رمز الوصول لهذا الرقم'),
  whatsapp_rate: fromProvider('لا يقبل واتساب طلبات أخرى الآن؛ أعد المحاولة بعد دقائق'),
  whatsapp_billing: fromProvider('يطلب واتساب تسوية فواتير حساب النشاط التجاري'),
  whatsapp_blocked: fromProvider('قيّد واتساب حساب النشاط التجاري'),
  whatsapp_transient: fromProvider('تعذّر الاتصال بواتساب؛ أعد المحاولة بعد دقيقة'),
  whatsapp_content: fromProvider('معرّف الرقم هذا غير معروف لدى واتساب'),
  meta_auth: fromMeta('رفض * رمز الوصول لهذا المعرّف'),
  meta_rate: fromMeta('لا يقبل * طلبات أخرى الآن؛ أعد المحاولة بعد دقائق'),
  meta_blocked: fromMeta('قيّد * الحساب'),
  meta_transient: fromMeta('تعذّر الاتصال بـ *؛ أعد المحاولة بعد دقيقة'),
  meta_content: fromMeta('هذا المعرّف غير معروف لدى *'),
  meta_app_secret_wrong: () =>
    'المفتاح السري ليس لتطبيق رمز الوصول هذا. انسخه من ذلك التطبيق: App settings ثم Basic.',
  meta_token_of_another: ({ product }) =>
    product === 'messenger'
      ? 'رمز الوصول لصفحة أخرى. استخدم رمز الصفحة التي لها هذا المعرّف.'
      : 'رمز الوصول لحساب آخر. استخدم رمز الحساب الذي له معرّف Instagram هذا.',
}
