import type { BroadcastFacts } from '../../facts/broadcasts.ts'
import type { BroadcastState, SkipReason } from '../../vocabulary/broadcasts.ts'
import { written } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

const STATES: Readonly<Record<BroadcastState, string>> = {
  draft: 'مسودة',
  scheduled: 'مجدولة',
  preparing: 'قيد التحضير',
  sending: 'قيد الإرسال',
  paused: 'متوقفة مؤقتًا',
  done: 'منتهية',
  cancelled: 'ملغاة',
}

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  opted_out: 'أوقفت الرسائل',
  marketing_stopped: 'طلبت من واتساب إيقاف التسويق من هذا الرقم',
  no_number: 'ليس لها رقم يُكتب إليه على هذه القناة',
  same_number: 'لها رقم مستلم آخر',
  value_missing: 'تنقصها قيمة يحتاجها القالب',
}

export const AR_BROADCASTS: Sentences<BroadcastFacts> = {
  no_such_broadcast: () => 'لا توجد رسالة جماعية كهذه.',
  broadcast_is: ({ state }) => `الرسالة الجماعية ${STATES[state]}: لا يمكن هذا الآن.`,
  broadcast_not_ready: () => 'لا يمكن إرسال الرسالة الجماعية بعد. انظر ما ينقص في كل حقل.',
  too_many_broadcasts: ({ most }) =>
    `بلغت الرسائل الجماعية التي لم تنته الحد الأعلى ${written(most)}. احذف مسودة أو ألغ واحدة أولًا.`,
  opt_out_needed: ({ template }) =>
    `${quotedInArabic(template)} قالب تسويقي: ضع ${inArabic('{{opt_out_link}}')} في قيمة من نصه أو عنوانه، أو استخدم قالبًا فيه زر ${inArabic('STOP')}`,
  opt_out_link_in_ending: () =>
    `هذه نهاية عنوان زر ولا تتسع لرابط كامل: ضع ${inArabic('{{opt_out_link}}')} في النص`,
  broadcast_placeholder_unknown: ({ placeholder }) =>
    `فيها موضع غير معروف ${quotedInArabic(`{{${placeholder}}}`)}: استخدم ${inArabic('contact.name')} أو ${inArabic('contact.phone')} أو ${inArabic('contact.email')} أو ${inArabic('contact.fields.KEY')} لحقل لديك أو ${inArabic('opt_out_link')}`,
  broadcast_pace_too_high: ({ most }) =>
    `الحد الأعلى في الثانية ${written(most)} على هذا الرقم، فصاحبه يستخدمه في تطبيق واتساب أيضًا`,
  send_at_passed: () => 'مضى هذا الوقت: اختر وقتًا لاحقًا، أو اتركه لتبدأ فورًا',
  send_at_too_far: ({ days }) => `الحد الأعلى بالأيام من الآن ${written(days)}`,
  broadcast_not_over: () => 'لم تنته الرسالة الجماعية بعد. انتظر نهايتها أو ألغها.',
  broadcast_none_failed: () =>
    'لم يبق من تُرسل إليه من جديد: لم تفشل أي رسالة، أو لم يعد المستلمون محفوظين.',
  recipient_skipped: ({ reason }) => `${SKIPPED[reason]}، فلا يُرسل شيء`,
  placeholder_empty: ({ placeholder }) =>
    `ليس لجهة الاتصال ما يوضع مكان ${quotedInArabic(`{{${placeholder}}}`)}.`,
  broadcast_refused: ({ why }, tell) => `لم يعد المزوّد يقبل شيئًا: ${tell(why)}`,
  broadcast_failing: ({ most }) =>
    `فشلت آخر الرسائل كلها وعددها ${written(most)}. اعرف السبب قبل أن تستأنف.`,
  template_recategorised: ({ template, language, was, is }) =>
    `نقل المزوّد القالب ${quotedInArabic(template)} باللغة ${inArabic(language)} من ${inArabic(was)} إلى ${inArabic(is)}، وقد يزيد ذلك الكلفة ويقلّل من تصلهم الرسالة. راجعه قبل أن تستأنف.`,
  broadcast_restored: () =>
    'استُعيدت الخدمة من نسخة احتياطية أُخذت أثناء هذا الإرسال، ولا يُعرف إلى أين وصل: قد يتكرر الإرسال إلى بعضهم إن استأنفت.',
}
