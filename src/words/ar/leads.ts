import type { LeadFacts } from '../../facts/leads.ts'
import { inArabic } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

export const AR_LEADS: Sentences<LeadFacts> = {
  no_such_lead: () => 'لا توجد فرصة بيع كهذه.',
  lead_is_closed: ({ status }) =>
    status === 'won'
      ? 'كُسبت فرصة البيع من قبل. يلزم فتحها من جديد أولًا.'
      : 'فُقدت فرصة البيع من قبل. يلزم فتحها من جديد أولًا.',
  customer_has_lead: () =>
    'لدى العميل فرصة بيع أخرى مفتوحة أو مؤهلة، ولا تكون له إلا واحدة. تُكمل تلك الفرصة، أو تُغلق أولًا بالكسب أو الفقد.',
  contact_or_conversation: () => `مطلوب، أو ${inArabic('conversationId')} بدلًا منه: أحدهما لا كلاهما`,
}
