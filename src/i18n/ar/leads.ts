import type { LeadFacts } from '../../core/facts/leads.ts'
import { inArabic } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

export const AR_LEADS: Catalog<LeadFacts> = {
  no_such_lead: () => 'هذا العميل المحتمل غير موجود.',
  lead_is_closed: ({ status }) =>
    status === 'won'
      ? 'سُجّلت هذه الصفقة تامّة بالفعل. أعد فتحها أولًا.'
      : 'سُجّل بالفعل أن هذه الصفقة لم تتم. أعد فتحها أولًا.',
  customer_has_lead: () =>
    'لهذا العميل صفقة أخرى مفتوحة أو مؤهَّلة، ولا تُفتح له إلا صفقة واحدة. تابع تلك الصفقة أو أغلقها أولًا.',
  contact_or_conversation: () => `مطلوب، أو ${inArabic('conversationId')} بدلًا منه: أحدهما فقط`,
}
