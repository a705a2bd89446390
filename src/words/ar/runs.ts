import type { RunFacts, UnfillablePart } from '../../facts/runs.ts'
import { countedAfter, countedInArabic, written } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

const PARTS: Record<UnfillablePart['part'], string> = {
  header: 'ترويسة من نوع',
  button: 'زر من نوع',
  component: 'جزء من نوع',
}

/** What of a template a flow cannot fill, with the provider's word for it. */
export const partInArabic = ({ part, type }: UnfillablePart): string =>
  `${PARTS[part]} ${inArabic(type)}`

export const lengthInArabic = (length: number, unit: 'code_points' | 'utf8_bytes'): string =>
  unit === 'utf8_bytes'
    ? `${countedInArabic(length, 'byte')} بترميز UTF-8`
    : countedInArabic(length, 'character')

export const AR_RUNS: Sentences<RunFacts> = {
  too_many_steps: ({ most }) => `أكثر من ${countedAfter(most, 'step')} دون انتظار.`,
  too_many_waits: ({ most }) => `أكثر من ${countedAfter(most, 'wait')} في تنفيذ واحد.`,
  step_gone: ({ step }) => `لا توجد في هذا الإصدار من المسار خطوة باسم ${quotedInArabic(step)}.`,
  flow_deleted: () => 'حُذف المسار.',
  opted_out_before_start: () => 'أوقف العميل الرسائل قبل أن يبدأ التنفيذ.',
  opted_out: () => 'أوقف العميل الرسائل، ولم يُرسل شيء بعد ذلك.',
  run_ended_by_another: () => 'سلّمت خطوة من تنفيذ آخر المحادثة إلى الفريق، أو أنهتها.',
  run_cancelled_by_member: () => 'ألغاه أحد الأعضاء.',
  run_contact_erased: () => 'مُحيت جهة الاتصال.',
  run_visitor_erased: () => 'مُحيت بيانات الزائر.',
  staff_handling: () => 'الفريق يتولى المحادثة.',
  no_automations: () => 'الباقة لم تعد تشمل المسارات.',
  run_not_taken_on: () => 'تعذّر على الخدمة متابعة هذا التنفيذ، ويستطيع مشغّلها معرفة السبب.',
  customer_not_reachable: () =>
    'لم تُرسل: صار هذا الرقم لشخص آخر، ولا تُعرف وسيلة أخرى للوصول إلى هذا العميل.',
  sender_ended: () => 'انتهى ما أُعدّت له هذه الرسالة، فلم يُرسل شيء.',
  message_restored: () =>
    'استُعيدت الخدمة من نسخة احتياطية كانت فيها هذه الرسالة تنتظر الإرسال. لا يُعرف هل أُرسلت بعدها، ولن تُرسل تلقائيًا.',
  run_restored: () =>
    'استُعيدت الخدمة من نسخة احتياطية أُخذت أثناء هذا التنفيذ. لا يُعرف إلى أين وصل، ولم يُرسل شيء بعدها.',
  channel_disconnected: ({ why }, tell) =>
    `القناة غير متصلة. ${why ? `${tell(why)} ` : ''}يلزم ربطها من جديد.`,
  customer_has_not_begun: () =>
    'في هذه القناة العميل وحده يبدأ المحادثة، ولم يكتب بعد: انتظر حتى يكتب.',
  channel_sends_nothing: () => 'لا يمكن إرسال شيء على هذه القناة.',
  reply_window_not_opened: ({ templateMaySend }) =>
    `تُفتح نافذة الرد حين يكتب العميل، ${templateMaySend ? 'ولا يمكن إرسال غير قالب' : 'ولا يمكن إرسال شيء'} قبل ذلك.`,
  reply_window_closed: ({ hours, templateMaySend }) =>
    `أُغلقت نافذة الرد: مضى على آخر رسالة من العميل أكثر من ${countedAfter(hours, 'hour')}، ${templateMaySend ? 'ولا يمكن إرسال غير قالب' : 'ولا يمكن إرسال شيء'}.`,
  text_empty: () => 'الرسالة المراد إرسالها خرجت فارغة.',
  text_too_long: ({ length, most, unit }) =>
    `الرسالة المراد إرسالها خرجت أطول من المسموح في القناة: طولها ${lengthInArabic(length, unit)}، والحد ${written(most)}.`,
  template_missing: ({ template }) => `لا يوجد في القناة قالب باسم ${quotedInArabic(template)}.`,
  template_not_approved: ({ template, language, versions }) =>
    `القالب ${quotedInArabic(template)} غير معتمد باللغة ${inArabic(language)} (${versions.map((version) => inArabic(`${version.language}: ${version.status}`)).join('، ')}).`,
  template_not_fillable: ({ template, ...part }) =>
    `في القالب ${quotedInArabic(template)} ما لا يستطيع المسار ملأه: ${partInArabic(part)}.`,
  template_value_empty: ({ template, value }) =>
    `خرجت القيمة ${quotedInArabic(value)} في القالب ${quotedInArabic(template)} فارغة.`,
  account_templates_used_up: ({ most }) =>
    `استُهلكت حصة الحساب اليومية من القوالب الآلية (${countedInArabic(most, 'template')}، بتوقيت UTC).`,
  customer_templates_used_up: ({ most }) =>
    `بلغ العميل حد القوالب الآلية في آخر 24 ساعة (${countedInArabic(most, 'template')}).`,
  message_gone: () => 'رسالة هذه الخطوة لم تعد موجودة.',
  send_unknown: () => 'لم يصل رد من المزوّد، والتنفيذ ينتظر خبره.',
  send_never_told: () =>
    'لم يخبر المزوّد إن كانت هذه الرسالة قد أُرسلت. لم تُرسل مرة أخرى حتى لا تصل العميل مرتين.',
  provider_refused: ({ said, providerCode }) =>
    `رفض المزوّد: ${said ? inArabic(said) : 'بلا سبب'}${providerCode ? ` (${inArabic(providerCode)})` : ''}.`,
  message_undelivered: ({ why }, tell) => `لم تصل الرسالة. ${tell(why)}`,
  not_sent_channel_gone: () => 'لم يُرسل شيء: القناة لم تعد موجودة.',
  not_sent_credentials_unreadable: () =>
    'لم يُرسل شيء: لا يمكن هنا قراءة بيانات الدخول المحفوظة للقناة.',
  not_sent_fault: ({ fault }) => `لم يُرسل شيء، والسبب خلل في الخدمة: ${inArabic(fault)}.`,
  customer_without_address: () => 'لم يُرسل شيء: ليس للعميل رقم ولا معرّف في القناة.',
  provider_not_reached: ({ fault }) => `لم يُرسل شيء: تعذّر الوصول إلى المزوّد (${inArabic(fault)}).`,
  provider_answer_cut: ({ fault }) => `لم يصل من المزوّد رد كامل (${inArabic(fault)}).`,
  call_not_begun: () => 'توقفت الخدمة قبل إرسال هذا الطلب، فلم يُرسل.',
  call_cut_off: () =>
    'توقفت الخدمة أثناء هذا الطلب. لا يُعرف إن كان نظامك قد استلمه: ابحث عنه هناك. لم يُرسل مرة أخرى.',
  call_answer_not_json: () => 'لم يكن الرد بصيغة JSON، فلم تُحفظ منه قيمة.',
  call_kept_nothing: ({ paths }) =>
    `لا قيمة في الرد عند المواضع: ${paths.map(quotedInArabic).join('، ')}.`,
}
