import type { ChannelSetupFacts } from '../../facts/channel-setup.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

type ProviderSaid = ChannelSetupFacts['whatsapp_auth']

const told =
  (what: string) =>
  ({ said, providerCode }: ProviderSaid): string =>
    `${what}${said ? `. ردّه: ${inArabic(said)}` : ''} (${inArabic(providerCode)}).`

const META = { messenger: 'Messenger', instagram: 'Instagram' }

const toldByMeta =
  (what: string) =>
  ({ product, ...said }: ChannelSetupFacts['meta_auth']): string =>
    told(what.replace('*', META[product]))(said)

export const AR_CHANNEL_SETUP: Sentences<ChannelSetupFacts> = {
  no_such_channel: () => 'لا توجد قناة كهذه في هذا المشروع.',
  channel_changed: () => 'تغيّرت القناة في هذه الأثناء. راجعها مرة أخرى.',
  channel_off_by_member: () => 'أوقفها أحد الأعضاء.',
  channel_deleted: () => 'حذفها أحد الأعضاء.',
  channel_account_lost: ({ event }) => `يقول المزوّد: ${inArabic(event)}.`,
  channel_in_use: ({ flows }) =>
    `مسارات منشورة تستعمل هذه القناة: ${flows.map(quotedInArabic).join('، ')}. انشرها على قناة أخرى أو احذفها أولًا.`,
  channel_country_unknown: () => 'دولة الرقم غير معروفة.',
  channel_connected_already: () => 'هذه القناة مرتبطة من قبل، هنا أو في حساب آخر. احذفها هناك أولًا.',
  channel_is_another: () => 'هذه قناة أخرى عند المزوّد. اربطها قناةً مستقلة.',
  channel_needs_credentials: () => 'القناة الأخرى عند المزوّد تلزمها بيانات الدخول.',
  channel_credentials_unreadable: ({ secrets }) =>
    secrets.length === 0
      ? 'لا يمكن هنا قراءة ما حُفظ لهذه القناة. احفظ القناة من جديد لتبدأ من أولها، أو اسأل من يدير الخدمة.'
      : `لا يمكن هنا قراءة بيانات الدخول لهذه القناة. أدخل ${secrets.map(inArabic).join('، ')} مرة أخرى، أو اسأل من يدير الخدمة.`,
  simulator_not_running: () => 'المحاكي لا يعمل.',
  no_provider_of_type: ({ type }) => `لا مزوّد في هذا الإصدار لقنوات ${inArabic(type)}.`,
  type_not_connectable: ({ type }) => `لا يمكن في هذا الإصدار ربط قناة ${inArabic(type)}.`,
  risk_not_accepted: () =>
    'الربط برمز QR لا يقدّمه واتساب، وقد يقيّد الرقم أو يغلقه نهائيًا. اقبل ذلك أولًا.',
  qr_bridge_not_set: () =>
    'لا يوجد جسر للأرقام المربوطة برمز QR: يثبّته من يشغّل الخدمة ويضبط WHATSAPP_QR_BRIDGE.',
  qr_bridge_away: ({ fault }) =>
    `لا يجيب جسر الأرقام المربوطة برمز QR ‏(${fault}). يشغّله من يشغّل الخدمة.`,
  qr_bridge_strange: () =>
    'ما يجيب على عنوان جسر الأرقام المربوطة ليس جسرًا من هذا الإصدار. على من يشغّل الخدمة أن يتفقّده.',
  qr_bridge_wrong_secret: () =>
    'لا يقبل الجسر المفتاح السري. يضبط من يشغّل الخدمة WHATSAPP_QR_BRIDGE_SECRET على مفتاح الجسر.',
  qr_scan_needed: () => 'ينتظر هاتفه: امسح الرمز في واتساب، الأجهزة المرتبطة.',
  qr_not_scanned: () => 'لم يمسح أحد الرمز في الوقت. أعد الربط لتحصل على رمز جديد.',
  qr_connecting: ({ code }) => `لا يمكن الوصول إلى واتساب الآن (${code})، وتستمر المحاولة.`,
  qr_logged_out: () => 'أزال الهاتف الربط، وحُذفت مفاتيحه هنا. أعد الربط وامسح رمزًا جديدًا.',
  qr_replaced: () => 'الربط نفسه مستعمل في مكان آخر. أنهه هناك أولًا ثم أعد الربط.',
  qr_banned: () => 'أغلق واتساب الرقم أو قيّده.',
  qr_other_number: ({ number }) =>
    `مسح الرمزَ رقم آخر: هذه القناة للرقم ${inArabic(number)}. أعد الربط وامسح به، أو اربط قناة أخرى.`,
  qr_number_taken: ({ number }) =>
    `الرقم ${inArabic(number)} مربوط بقناة أخرى. احذفها أولًا، أو امسح برقم آخر.`,
  channel_callback_unreachable: ({ url }) =>
    `بيانات الدخول صحيحة، لكن المزوّد لا يستطيع الوصول إلى ${inArabic(url)}: يلزم عنوان https عام. يضبطه من يدير الخدمة في ${inArabic('BASE_URL')}، ثم أدخل العنوان الجديد لدى المزوّد.`,
  whatsapp_not_subscribed: () =>
    `الرقم يعمل، لكن حساب WhatsApp Business غير مشترك في أي تطبيق: لا ترسل Meta ما يكتبه العملاء. اشترك بتطبيقك في الحساب (${inArabic('POST /{account}/subscribed_apps')})، ثم تحقق مرة أخرى.`,
  whatsapp_posts_elsewhere: ({ origin, url }) =>
    `الرقم يعمل، لكن Meta ترسل ما يكتبه العملاء إلى عنوان آخر في ${inArabic(origin)}. اضبط عنوان الاستدعاء على ${inArabic(url)}، ثم تحقق مرة أخرى.`,
  whatsapp_subscription_unknown: told(
    'الرقم يعمل، لكن واتساب لا يخبر إن كان يرسل إلى هذه الخدمة. يلزم رمز الوصول الإذن whatsapp_business_management',
  ),
  telnyx_wrong_key: () =>
    'هذا ليس مفتاحًا عامًا من Telnyx: فيه 44 حرفًا آخرها =، وتجده في Keys & Credentials ثم Public key.',
  telnyx_wrong_api_key: () => 'لا تقبل Telnyx مفتاح الواجهة. خذ مفتاحًا من Keys & Credentials.',
  whatsapp_auth: told('لا يقبل WhatsApp رمز الوصول لهذا الرقم'),
  whatsapp_rate: told('لا يقبل WhatsApp طلبات أخرى الآن؛ أعد المحاولة بعد دقائق'),
  whatsapp_billing: told('يطلب WhatsApp تسوية فواتير حساب النشاط التجاري'),
  whatsapp_blocked: told('قيّد WhatsApp حساب النشاط التجاري'),
  whatsapp_transient: told('تعذّر سؤال WhatsApp؛ أعد المحاولة بعد دقيقة'),
  whatsapp_content: told('لا يعرف WhatsApp معرّف الرقم هذا'),
  meta_auth: toldByMeta('لا يقبل * رمز الوصول لهذا المعرّف'),
  meta_rate: toldByMeta('لا يقبل * طلبات أخرى الآن؛ أعد المحاولة بعد دقائق'),
  meta_blocked: toldByMeta('قيّد * الحساب'),
  meta_transient: toldByMeta('تعذّر سؤال *؛ أعد المحاولة بعد دقيقة'),
  meta_content: toldByMeta('لا يعرف * هذا المعرّف'),
  meta_token_of_another: ({ product }) =>
    product === 'messenger'
      ? 'رمز الوصول لصفحة أخرى. خذ رمز الصفحة التي لها معرّف الصفحة هذا.'
      : 'رمز الوصول لحساب آخر. خذ رمز الحساب الذي له معرّف Instagram هذا.',
}
