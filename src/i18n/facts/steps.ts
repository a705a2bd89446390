import type { StepFacts } from '../../core/facts/steps.ts'
import { defineFacts } from '../define-facts.ts'

export const stepFacts = defineFacts<StepFacts>()({
  en: {
    condition_holds: 'Condition met.',
    condition_does_not_hold: 'Condition not met.',
    customer_replied: 'The customer replied.',
    answer_taken: 'The customer answered.',
    no_answer_to_question: {
      text: '{times}',
      forms: {
        times: {
          1: 'The customer’s reply isn’t a valid answer.',
          other: 'The customer’s reply isn’t a valid answer ({times} in a row).',
        },
      },
    },
    time_has_passed: 'The wait has ended.',
    no_opening_hours: 'Didn’t wait: no opening hours are set.',
    is_open: 'Didn’t wait: it’s within opening hours.',
    branch_holds: 'Branch {branch} matched.',
    no_branch_holds: 'No branch matched.',
    visitor_is_no_contact: 'Nothing was changed: website visitors aren’t contacts.',
    field_not_set: 'Nothing was changed: the field "{key}" doesn’t accept this value.',
    note_empty: 'No note was added because it would have been empty.',
    no_reply_in_time: 'No reply came in time.',
    calls_used_up: 'Not made: a flow can make at most {max, call} between two customer messages.',
    call_time_used_up:
      'Not made: calls since the customer’s last message used up the {seconds, second} they can take in total.',
    no_times_free: 'No times available.',
    appointment_made: 'Booked: {reference}.',
    time_was_taken: 'Someone else booked that time first, so other times are offered.',
    too_many_appointments:
      'Not booked: the customer already has the maximum number of upcoming appointments.',
    not_bookable: 'Not booked: the service was deleted or is switched off.',
    appointment_called_off: 'Cancelled: {reference}.',
    no_appointment_to_cancel: 'There was no upcoming appointment to cancel.',
    step_cannot_take: {
      text: 'The run was at step "{step}", which doesn’t accept {input}.',
      forms: {
        input: {
          reply: 'a reply',
          timeout: 'the end of a wait',
          sent: 'a message that was sent',
          send_failed: 'a message that failed to send',
          called: 'the response to a call',
          effect_done: 'the result of a booking',
        },
      },
    },
  },
  ar: {
    condition_holds: 'تحقق الشرط.',
    condition_does_not_hold: 'لم يتحقق الشرط.',
    customer_replied: 'رد العميل.',
    answer_taken: 'أجاب العميل.',
    no_answer_to_question: 'ما كتبه العميل ليس إجابة صالحة عن السؤال ({times, time} على التوالي).',
    time_has_passed: 'انقضى الوقت.',
    no_opening_hours: 'بلا انتظار: لم تُحدَّد ساعات العمل.',
    is_open: 'بلا انتظار: المتجر مفتوح.',
    branch_holds: 'تحقق الفرع {branch}.',
    no_branch_holds: 'لم يتحقق أي فرع.',
    visitor_is_no_contact: 'لم يتغيّر شيء: زائر الموقع ليس جهة اتصال.',
    field_not_set: 'لم يتغيّر شيء: الحقل «{key}» لا يقبل هذه القيمة.',
    note_empty: 'لم تُكتب ملاحظة لأنها فارغة.',
    no_reply_in_time: 'لم يصل رد في الوقت المحدد.',
    calls_used_up: 'لم يُرسل الطلب: الحد الأقصى للطلبات إلى نظامك بين رسالتين من العميل {max, call}.',
    call_time_used_up:
      'لم يُرسل الطلب: نفد الوقت المتاح لكل الطلبات منذ آخر رسالة من العميل ({seconds, second}).',
    no_times_free: 'لا أوقات متاحة.',
    appointment_made: 'تم الحجز: {reference}.',
    time_was_taken: 'حُجز هذا الوقت من عميل آخر: تُعرض أوقات أخرى.',
    too_many_appointments: 'لم يُحجز: بلغ العميل الحد الأقصى للمواعيد القادمة.',
    not_bookable: 'لم يُحجز: الخدمة محذوفة أو موقوفة.',
    appointment_called_off: 'أُلغي الموعد: {reference}.',
    no_appointment_to_cancel: 'لا يوجد موعد قادم لإلغائه.',
    step_cannot_take: {
      text: 'كان التنفيذ عند الخطوة «{step}»، وهي لا تقبل {input}.',
      forms: {
        input: {
          reply: 'ردًّا',
          timeout: 'انتهاء مهلة',
          sent: 'رسالة أُرسلت',
          send_failed: 'رسالة فشل إرسالها',
          called: 'ردًّا على طلب',
          effect_done: 'نتيجة حجز',
        },
      },
    },
  },
})
