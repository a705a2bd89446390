import type { FactParams } from '../../core/facts/fact.ts'
import type { StepFacts } from '../../core/facts/steps.ts'
import { countedInArabic, written } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

const INPUTS: Record<FactParams['step_cannot_take']['input'], string> = {
  reply: 'ردًّا',
  timeout: 'انتهاء مهلة',
  sent: 'رسالة أُرسلت',
  send_failed: 'رسالة فشل إرسالها',
  called: 'ردًّا على طلب',
  effect_done: 'نتيجة حجز',
}

export const AR_STEPS: Catalog<StepFacts> = {
  condition_holds: () => 'تحقق الشرط.',
  condition_does_not_hold: () => 'لم يتحقق الشرط.',
  customer_replied: () => 'رد العميل.',
  answer_taken: () => 'أجاب العميل.',
  no_answer_to_question: ({ times }) =>
    `ما كتبه العميل ليس إجابة صالحة عن السؤال (${countedInArabic(times, 'time')} على التوالي).`,
  time_has_passed: () => 'انقضى الوقت.',
  no_opening_hours: () => 'بلا انتظار: لم تُحدَّد ساعات العمل.',
  is_open: () => 'بلا انتظار: المتجر مفتوح.',
  branch_holds: ({ branch }) => `تحقق الفرع ${written(branch)}.`,
  no_branch_holds: () => 'لم يتحقق أي فرع.',
  visitor_is_no_contact: () => 'لم يتغيّر شيء: زائر الموقع ليس جهة اتصال.',
  field_not_set: ({ key }) => `لم يتغيّر شيء: الحقل ${quotedInArabic(key)} لا يقبل هذه القيمة.`,
  note_empty: () => 'لم تُكتب ملاحظة لأنها فارغة.',
  no_reply_in_time: () => 'لم يصل رد في الوقت المحدد.',
  calls_used_up: ({ max }) =>
    `لم يُرسل الطلب: الحد الأقصى للطلبات إلى نظامك بين رسالتين من العميل ${countedInArabic(max, 'call')}.`,
  call_time_used_up: ({ seconds }) =>
    `لم يُرسل الطلب: نفد الوقت المتاح لكل الطلبات منذ آخر رسالة من العميل (${countedInArabic(seconds, 'second')}).`,
  no_times_free: () => 'لا أوقات متاحة.',
  appointment_made: ({ reference }) => `تم الحجز: ${inArabic(reference)}.`,
  time_was_taken: () => 'حُجز هذا الوقت من عميل آخر: تُعرض أوقات أخرى.',
  too_many_appointments: () => 'لم يُحجز: بلغ العميل الحد الأقصى للمواعيد القادمة.',
  not_bookable: () => 'لم يُحجز: الخدمة محذوفة أو موقوفة.',
  appointment_called_off: ({ reference }) => `أُلغي الموعد: ${inArabic(reference)}.`,
  no_appointment_to_cancel: () => 'لا يوجد موعد قادم لإلغائه.',
  step_cannot_take: ({ step, input }) =>
    `كان التنفيذ عند الخطوة ${quotedInArabic(step)}، وهي لا تقبل ${INPUTS[input]}.`,
}
