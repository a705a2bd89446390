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
  channel_needs_credentials: () => 'القناة الأخرى عند المزوّد تلزمها بيانات الدخول.',
  channel_credentials_unreadable: ({ secrets }) =>
    `لا يمكن هنا قراءة بيانات الدخول لهذه القناة. أدخل ${secrets.map(inArabic).join('، ')} مرة أخرى، أو اسأل من يدير الخدمة.`,
  simulator_not_running: () => 'المحاكي لا يعمل.',
  no_provider_of_type: ({ type }) => `لا مزوّد في هذا الإصدار لقنوات ${inArabic(type)}.`,
  type_not_connectable: ({ type }) => `لا يمكن في هذا الإصدار ربط قناة ${inArabic(type)}.`,
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
