import type { EndpointFacts } from '../../core/facts/endpoints.ts'
import { defineFacts } from '../define-facts.ts'

export const endpointFacts = defineFacts<EndpointFacts>()({
  en: {
    no_such_endpoint: 'No endpoint with this ID.',
    endpoint_is_off: 'The endpoint is off. Switch it on first.',
    endpoint_is_deleted: 'The endpoint was deleted, so nothing can be sent to it.',
    endpoint_changed:
      'Someone else changed this endpoint while you were editing. Review it before you save.',
    webhooks_not_in_plan: 'Webhooks aren’t included in the {plan} plan.',
    endpoints_used_up: 'You can have at most {max} webhook endpoints. Delete one first.',
    url_cannot_be_used: 'This URL can’t be used.',
    endpoint_off_failures_in_row:
      'It failed {failures, plain} times in a row. Fix the problem, send a test, switch the endpoint on, then send the held deliveries.',
    endpoint_off_failing_for_days:
      'It failed for {days, day} without a single success. Fix the problem, send a test, switch the endpoint on, then send the held deliveries.',
    endpoint_off_gone:
      'Your server returned 410 Gone, meaning it no longer exists. If it’s back or has moved, update the URL, send a test, then switch the endpoint on.',
    endpoint_off_by_member:
      'A team member switched it off. Switch it on to deliver events again; you can then send the held deliveries.',
    endpoint_on: 'The endpoint is on. No deliveries are on hold.',
    endpoint_on_with_held: {
      text: 'The endpoint is on. Deliveries on hold: {count}{isMore}{tried}. They aren’t sent automatically: send them, or they expire after {days} days.',
      forms: {
        isMore: { true: ' or more', false: '' },
        tried: { 0: '', other: ', of which {tried}{isMore} were tried before' },
      },
    },
  },
  ar: {
    no_such_endpoint: 'نقطة الاستقبال هذه غير موجودة في المشروع.',
    endpoint_is_off: 'نقطة الاستقبال موقوفة. فعّلها أولًا.',
    endpoint_is_deleted: 'نقطة الاستقبال محذوفة: لا يمكن إرسال شيء إليها.',
    endpoint_changed: 'تغيّرت نقطة الاستقبال أثناء تعديلك. راجعها مرة أخرى.',
    webhooks_not_in_plan: 'نقاط الاستقبال غير متاحة في {plan, plan}.',
    endpoints_used_up: 'الحد الأقصى لنقاط الاستقبال في المشروع: {max}. احذف واحدة أولًا.',
    url_cannot_be_used: 'لا يمكن استخدام هذا الرابط.',
    endpoint_off_failures_in_row:
      'فشلت {failures, after time} على التوالي. أصلحها، وأرسل إليها حدثًا تجريبيًا، ثم فعّلها، ثم أرسل المعلّق.',
    endpoint_off_failing_for_days:
      'فشلت كل المحاولات خلال {days, after day}. أصلحها، وأرسل إليها حدثًا تجريبيًا، ثم فعّلها، ثم أرسل المعلّق.',
    endpoint_off_gone:
      'ردّت بالرمز 410، أي أنها لم تعد موجودة. إن عادت أو تغيّر رابطها، فعدّل الرابط، وأرسل حدثًا تجريبيًا، ثم فعّلها.',
    endpoint_off_by_member: 'أوقفها أحد الأعضاء. فعّلها ليُستأنف التسليم، ثم يمكن إرسال المعلّق.',
    endpoint_on: 'نقطة الاستقبال مفعّلة، ولا تسليمات معلّقة.',
    endpoint_on_with_held: {
      text: 'نقطة الاستقبال مفعّلة. المعلّق: {count, delivery}{isMore}{tried}. لا يُرسل تلقائيًا: أرسله، وإلا انتهت صلاحيته بعد {days, after day}.',
      forms: {
        isMore: { true: ' أو أكثر', false: '' },
        tried: { 0: '', other: '، جُرّب منها من قبل {tried}{isMore}' },
      },
    },
  },
})
