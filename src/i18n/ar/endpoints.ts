import type { EndpointFacts } from '../../core/facts/endpoints.ts'
import { countedAfter, countedInArabic, written } from '../counted.ts'
import { planInArabic } from '../plan-in-arabic.ts'
import type { Catalog } from '../catalog.ts'

const FIX = 'أصلحها، وأرسل إليها حدثًا تجريبيًا، ثم فعّلها، ثم أرسل المعلّق.'

export const AR_ENDPOINTS: Catalog<EndpointFacts> = {
  no_such_endpoint: () => 'نقطة الاستقبال هذه غير موجودة في المشروع.',
  endpoint_is_off: () => 'نقطة الاستقبال موقوفة. فعّلها أولًا.',
  endpoint_is_deleted: () => 'نقطة الاستقبال محذوفة: لا يمكن إرسال شيء إليها.',
  endpoint_changed: () => 'تغيّرت نقطة الاستقبال أثناء تعديلك. راجعها مرة أخرى.',
  webhooks_not_in_plan: ({ plan }) => `نقاط الاستقبال غير متاحة في ${planInArabic(plan)}.`,
  endpoints_used_up: ({ max }) =>
    `الحد الأقصى لنقاط الاستقبال في المشروع: ${written(max)}. احذف واحدة أولًا.`,
  url_cannot_be_used: () => 'لا يمكن استخدام هذا الرابط.',
  endpoint_off_failures_in_row: ({ failures }) =>
    `فشلت ${countedAfter(failures, 'time')} على التوالي. ${FIX}`,
  endpoint_off_failing_for_days: ({ days }) =>
    `فشلت كل المحاولات خلال ${countedAfter(days, 'day')}. ${FIX}`,
  endpoint_off_gone: () =>
    'ردّت بالرمز 410، أي أنها لم تعد موجودة. إن عادت أو تغيّر رابطها، فعدّل الرابط، وأرسل حدثًا تجريبيًا، ثم فعّلها.',
  endpoint_off_by_member: () => 'أوقفها أحد الأعضاء. فعّلها ليُستأنف التسليم، ثم يمكن إرسال المعلّق.',
  endpoint_on: () => 'نقطة الاستقبال مفعّلة، ولا تسليمات معلّقة.',
  endpoint_on_with_held: ({ count, isMore, tried, days }) =>
    `نقطة الاستقبال مفعّلة. المعلّق: ${countedInArabic(count, 'delivery')}${isMore ? ' أو أكثر' : ''}${tried === 0 ? '' : `، جُرّب منها من قبل ${written(tried)}${isMore ? ' أو أكثر' : ''}`}. لا يُرسل تلقائيًا: أرسله، وإلا انتهت صلاحيته بعد ${countedAfter(days, 'day')}.`,
}
