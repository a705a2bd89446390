import type { RunFacts, UnfillablePart } from '../../core/facts/runs.ts'
import { countedAfter, countedInArabic, written } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

const PARTS: Record<UnfillablePart['part'], string> = {
  header: 'رأس من نوع',
  button: 'زر من نوع',
  component: 'جزء من نوع',
}

/** Returns the part of a template that a flow cannot fill, with the provider's name for it. */
export const partInArabic = ({ part, type }: UnfillablePart): string =>
  `${PARTS[part]} ${inArabic(type)}`

/** Formats the length of a text, in characters or bytes, for an Arabic sentence. */
export const lengthInArabic = (length: number, unit: 'code_points' | 'utf8_bytes'): string =>
  unit === 'utf8_bytes'
    ? `${countedInArabic(length, 'byte')} بترميز UTF-8`
    : countedInArabic(length, 'character')

export const AR_RUNS: Catalog<RunFacts> = {
  too_many_steps: ({ max }) => `أكثر من ${countedAfter(max, 'step')} بلا انتظار.`,
  too_many_waits: ({ max }) => `أكثر من ${countedAfter(max, 'wait')} في تنفيذ واحد.`,
  step_gone: ({ step }) => `لا توجد خطوة باسم ${quotedInArabic(step)} في هذا الإصدار من المسار.`,
  flow_deleted: () => 'حُذف المسار.',
  opted_out_before_start: () => 'أوقف العميل الرسائل قبل أن يبدأ التنفيذ.',
  opted_out: () => 'أوقف العميل الرسائل، ولم يُرسل شيء بعد ذلك.',
  run_ended_by_another: () => 'حوّلت خطوة من تنفيذ آخر المحادثة إلى الفريق، أو أنهتها.',
  run_cancelled_by_member: () => 'ألغاه أحد الأعضاء.',
  run_contact_erased: () => 'مُحيت جهة الاتصال.',
  run_visitor_erased: () => 'مُحيت بيانات الزائر.',
  staff_handling: () => 'الفريق يتولى المحادثة.',
  no_automations: () => 'الباقة لم تعد تشمل المسارات.',
  run_not_taken_on: () => 'تعذّر على الخدمة متابعة هذا التنفيذ، ويمكن لمشغّل الخدمة معرفة السبب.',
  customer_not_reachable: () =>
    'لم تُرسل. صار هذا الرقم لشخص آخر، ولا تُعرف وسيلة أخرى للوصول إلى هذا العميل.',
  sender_ended: () => 'انتهى ما أُعدّت الرسالة من أجله، فلم تُرسل.',
  message_restored: () =>
    'استُعيدت الخدمة من نسخة احتياطية كانت فيها هذه الرسالة بانتظار الإرسال. لا يُعرف إن أُرسلت بعدها، ولن تُرسل تلقائيًا.',
  run_restored: () =>
    'استُعيدت الخدمة من نسخة احتياطية أُخذت أثناء هذا التنفيذ. لا يُعرف إلى أين وصل، ولم يُرسل شيء بعدها.',
  channel_disconnected: ({ why }, format) =>
    `القناة غير مرتبطة. ${why ? `${format(why)} ` : ''}أعد ربطها.`,
  customer_has_not_begun: () => 'في هذه القناة يبدأ العميل المحادثة، ولم يكتب بعد.',
  channel_sends_nothing: () => 'لا يمكن الإرسال عبر هذه القناة.',
  reply_window_not_opened: ({ templateMaySend }) =>
    `تُفتح نافذة الرد عندما يكتب العميل، ${templateMaySend ? 'ولا يمكن إرسال غير قالب' : 'ولا يمكن إرسال شيء'} قبل ذلك.`,
  reply_window_closed: ({ hours, templateMaySend }) =>
    `أُغلقت نافذة الرد: مضى على آخر رسالة من العميل أكثر من ${countedAfter(hours, 'hour')}، ${templateMaySend ? 'ولا يمكن إرسال غير قالب' : 'ولا يمكن إرسال شيء'}.`,
  text_empty: () => 'الرسالة فارغة بعد ملء القيم.',
  text_too_long: ({ length, max, unit }) =>
    `الرسالة بعد ملء القيم أطول من المسموح في القناة: طولها ${lengthInArabic(length, unit)}، والحد الأقصى ${written(max)}.`,
  template_missing: ({ template }) => `لا يوجد قالب باسم ${quotedInArabic(template)} في القناة.`,
  template_not_approved: ({ template, language, versions }) =>
    `القالب ${quotedInArabic(template)} غير معتمد باللغة ${inArabic(language)} (${versions.map((version) => inArabic(`${version.language}: ${version.status}`)).join('، ')}).`,
  template_not_fillable: ({ template, ...part }) =>
    `في القالب ${quotedInArabic(template)} جزء لا يمكن للمسار تعبئته: ${partInArabic(part)}.`,
  template_value_empty: ({ template, value }) =>
    `القيمة ${quotedInArabic(value)} في القالب ${quotedInArabic(template)} فارغة.`,
  account_templates_used_up: ({ max }) =>
    `نفدت حصة الحساب اليومية من القوالب الآلية (${countedInArabic(max, 'template')}، بتوقيت UTC).`,
  customer_templates_used_up: ({ max }) =>
    `بلغ العميل حد القوالب الآلية في آخر 24 ساعة (${countedInArabic(max, 'template')}).`,
  message_gone: () => 'رسالة هذه الخطوة لم تعد موجودة.',
  send_unknown: () => 'لم يصل رد من المزوّد بعد، والتنفيذ بانتظاره.',
  send_never_told: () =>
    'لم يؤكد المزوّد إرسال هذه الرسالة. لم تُرسل مرة أخرى حتى لا تصل إلى العميل مرتين.',
  provider_refused: ({ said, providerCode }) =>
    `رفض المزوّد: ${said ? inArabic(said) : 'بلا سبب مذكور'}${providerCode ? ` (${inArabic(providerCode)})` : ''}.`,
  message_undelivered: ({ why }, format) => `لم تصل الرسالة. ${format(why)}`,
  not_sent_channel_gone: () => 'لم يُرسل شيء: القناة لم تعد موجودة.',
  not_sent_credentials_unreadable: () => 'لم يُرسل شيء: تعذّرت قراءة بيانات الدخول المحفوظة للقناة.',
  not_sent_fault: ({ fault }) => `لم يُرسل شيء بسبب خطأ في الخدمة: ${inArabic(fault)}.`,
  customer_without_address: () => 'لم يُرسل شيء: لا رقم للعميل ولا معرّف في القناة.',
  provider_not_reached: ({ fault }) => `لم يُرسل شيء: تعذّر الوصول إلى المزوّد (${inArabic(fault)}).`,
  provider_answer_cut: ({ fault }) => `لم يصل رد كامل من المزوّد (${inArabic(fault)}).`,
  call_not_begun: () => 'توقفت الخدمة قبل إرسال هذا الطلب، فلم يُرسل.',
  call_cut_off: () =>
    'توقفت الخدمة أثناء هذا الطلب، ولا يُعرف إن استلمه نظامك. تحقق هناك. لم يُرسل مرة أخرى.',
  call_answer_not_json: () => 'لم يكن الرد بصيغة JSON، فلم تُحفظ منه قيمة.',
  call_kept_nothing: ({ paths }) =>
    `لا توجد قيمة في الرد عند المواضع: ${paths.map(quotedInArabic).join('، ')}.`,
}
