import type { BroadcastFacts } from '../../core/facts/broadcasts.ts'
import type { BroadcastState, SkipReason } from '../../core/vocabulary/broadcasts.ts'
import { written } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

const STATES: Readonly<Record<BroadcastState, string>> = {
  draft: 'مسودة',
  scheduled: 'مجدولة',
  preparing: 'قيد التحضير',
  sending: 'قيد الإرسال',
  paused: 'متوقفة مؤقتًا',
  done: 'مكتملة',
  cancelled: 'ملغاة',
}

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  opted_out: 'الرسائل موقوفة لجهة الاتصال',
  marketing_stopped: 'أوقفت جهة الاتصال الرسائل التسويقية من هذا الرقم عبر واتساب',
  no_number: 'ليس لجهة الاتصال رقم على هذه القناة',
  same_number: 'الرقم نفسه لمستلم آخر',
  value_missing: 'تنقص جهة الاتصال قيمة يحتاج إليها القالب',
}

export const AR_BROADCASTS: Catalog<BroadcastFacts> = {
  no_such_broadcast: () => 'هذه الرسالة الجماعية غير موجودة.',
  broadcast_is: ({ state }) => `الرسالة الجماعية ${STATES[state]}، ولا يمكن هذا الآن.`,
  broadcast_not_ready: () => 'لا يمكن إرسال الرسالة الجماعية بعد. راجع ما ينقص في كل حقل.',
  too_many_broadcasts: ({ max }) =>
    `بلغت الرسائل الجماعية غير المنتهية الحد الأقصى: ${written(max)}. احذف مسودة أو ألغِ واحدة أولًا.`,
  opt_out_needed: ({ template }) =>
    `${quotedInArabic(template)} قالب تسويقي: ضع ${inArabic('{{opt_out_link}}')} في قيمة من نصه أو رأسه، أو استخدم قالبًا فيه زر ${inArabic('STOP')}`,
  opt_out_link_in_ending: () =>
    `هذه نهاية رابط زر، ولا تتسع لرابط كامل: ضع ${inArabic('{{opt_out_link}}')} في النص`,
  broadcast_placeholder_unknown: ({ placeholder }) =>
    `متغيّر غير معروف ${quotedInArabic(`{{${placeholder}}}`)}: استخدم ${inArabic('contact.name')} أو ${inArabic('contact.phone')} أو ${inArabic('contact.email')} أو ${inArabic('contact.fields.KEY')} لحقل لديك أو ${inArabic('opt_out_link')}`,
  broadcast_pace_too_high: ({ max }) =>
    `الحد الأقصى في الثانية على هذا الرقم ${written(max)}، لأن صاحبه يستخدمه في تطبيق واتساب أيضًا`,
  send_at_passed: () => 'مضى هذا الوقت: اختر وقتًا لاحقًا، أو اتركه فارغًا للبدء فورًا',
  send_at_too_far: ({ days }) => `أبعد موعد للإرسال من الآن بالأيام: ${written(days)}`,
  broadcast_not_over: () => 'لم تنته الرسالة الجماعية بعد. انتظر نهايتها أو ألغها.',
  broadcast_none_failed: () =>
    'لا يوجد من تُعاد الرسالة إليه: لم تفشل أي رسالة، أو لم يعد المستلمون محفوظين.',
  recipient_skipped: ({ reason }) => `${SKIPPED[reason]}، فلم يُرسل شيء`,
  placeholder_empty: ({ placeholder }) =>
    `لا توجد لدى جهة الاتصال قيمة لـ ${quotedInArabic(`{{${placeholder}}}`)}.`,
  broadcast_refused: ({ why }, format) => `لم يعد المزوّد يقبل الرسائل: ${format(why)}`,
  broadcast_failing: ({ max }) =>
    `فشلت آخر الرسائل كلها وعددها ${written(max)}. راجع السبب قبل الاستئناف.`,
  template_recategorised: ({ template, language, was, is }) =>
    `غيّر المزوّد فئة القالب ${quotedInArabic(template)} باللغة ${inArabic(language)} من ${inArabic(was)} إلى ${inArabic(is)}، وقد ترتفع التكلفة ويقل عدد من تصلهم الرسالة. راجعه قبل الاستئناف.`,
  broadcast_restored: () =>
    'استُعيدت الخدمة من نسخة احتياطية أُخذت أثناء هذا الإرسال، ولا يُعرف إلى أين وصل. قد يتكرر الإرسال إلى بعض المستلمين عند الاستئناف.',
}
