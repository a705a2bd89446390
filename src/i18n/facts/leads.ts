import type { LeadFacts } from '../../core/facts/leads.ts'
import { defineFacts } from '../define-facts.ts'

export const leadFacts = defineFacts<LeadFacts>()({
  en: {
    no_such_lead: 'No lead with this ID.',
    lead_is_closed: {
      text: '{status}',
      forms: {
        status: {
          won: 'The lead is already marked as won. Reopen it first.',
          other: 'The lead is already marked as lost. Reopen it first.',
        },
      },
    },
    customer_has_lead:
      'The customer already has an open or qualified lead, and can have only one. Use that one, or mark it as won or lost first.',
    contact_or_conversation: 'is required unless you send conversationId. Send exactly one of them',
  },
  ar: {
    no_such_lead: 'هذا العميل المحتمل غير موجود.',
    lead_is_closed: {
      text: '{status}',
      forms: {
        status: {
          won: 'سُجّلت هذه الصفقة تامّة بالفعل. أعد فتحها أولًا.',
          other: 'سُجّل بالفعل أن هذه الصفقة لم تتم. أعد فتحها أولًا.',
        },
      },
    },
    customer_has_lead:
      'لهذا العميل صفقة أخرى مفتوحة أو مؤهَّلة، ولا تُفتح له إلا صفقة واحدة. تابع تلك الصفقة أو أغلقها أولًا.',
    contact_or_conversation: 'مطلوب، أو `conversationId` بدلًا منه: أحدهما فقط',
  },
})
