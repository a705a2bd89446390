import type { Fact, FactCode, FactParams } from '../core/facts/fact.ts'
import { AR_PUBLISH } from './ar/publish.ts'
import { AR_REPLIES } from './ar/replies.ts'
import { AR_RUNS } from './ar/runs.ts'
import { AR_STEPS } from './ar/steps.ts'
import { AR_CONTACTS } from './ar/contacts.ts'
import { AR_TRIGGERS } from './ar/triggers.ts'
import { EN_PUBLISH } from './en/publish.ts'
import type { Language } from '../core/vocabulary/hooks.ts'
import { AR_ACCOUNTS } from './ar/accounts.ts'
import { AR_BROADCASTS } from './ar/broadcasts.ts'
import { AR_ASSISTANT_SETUP } from './ar/assistant-setup.ts'
import { AR_BOOKING_SETUP } from './ar/booking-setup.ts'
import { AR_CALLS } from './ar/calls.ts'
import { AR_CHANNEL_SETUP } from './ar/channel-setup.ts'
import { AR_DELIVERY_LOG } from './ar/delivery-log.ts'
import { AR_ENDPOINTS } from './ar/endpoints.ts'
import { AR_FIELDS } from './ar/fields.ts'
import { AR_FILES } from './ar/files.ts'
import { AR_KNOWLEDGE } from './ar/knowledge.ts'
import { AR_FLOWS } from './ar/flows.ts'
import { AR_HOOKS } from './ar/hooks.ts'
import { AR_APPOINTMENTS } from './ar/appointments.ts'
import { AR_INBOX } from './ar/inbox.ts'
import { AR_VISITORS } from './ar/visitors.ts'
import { AR_LEADS } from './ar/leads.ts'
import { AR_MODELS } from './ar/models.ts'
import { AR_OUTBOUND } from './ar/outbound.ts'
import { AR_PROBLEMS } from './ar/problems.ts'
import { EN_ACCOUNTS } from './en/accounts.ts'
import { EN_BROADCASTS } from './en/broadcasts.ts'
import { EN_ASSISTANT_SETUP } from './en/assistant-setup.ts'
import { EN_BOOKING_SETUP } from './en/booking-setup.ts'
import { EN_CALLS } from './en/calls.ts'
import { EN_CHANNEL_SETUP } from './en/channel-setup.ts'
import { EN_DELIVERY_LOG } from './en/delivery-log.ts'
import { EN_ENDPOINTS } from './en/endpoints.ts'
import { EN_FIELDS } from './en/fields.ts'
import { EN_FILES } from './en/files.ts'
import { EN_KNOWLEDGE } from './en/knowledge.ts'
import { EN_FLOWS } from './en/flows.ts'
import { EN_HOOKS } from './en/hooks.ts'
import { EN_APPOINTMENTS } from './en/appointments.ts'
import { EN_INBOX } from './en/inbox.ts'
import { EN_VISITORS } from './en/visitors.ts'
import { EN_LEADS } from './en/leads.ts'
import { EN_MODELS } from './en/models.ts'
import { EN_OUTBOUND } from './en/outbound.ts'
import { EN_PROBLEMS } from './en/problems.ts'
import { EN_REPLIES } from './en/replies.ts'
import { EN_RUNS } from './en/runs.ts'
import { EN_STEPS } from './en/steps.ts'
import { EN_CONTACTS } from './en/contacts.ts'
import { AR_TELEGRAM } from './ar/telegram.ts'
import { EN_TELEGRAM } from './en/telegram.ts'
import { EN_TRIGGERS } from './en/triggers.ts'
import type { Catalog } from './catalog.ts'

export const CATALOGS = {
  en: {
    ...EN_RUNS,
    ...EN_REPLIES,
    ...EN_STEPS,
    ...EN_PUBLISH,
    ...EN_PROBLEMS,
    ...EN_ACCOUNTS,
    ...EN_FIELDS,
    ...EN_FILES,
    ...EN_KNOWLEDGE,
    ...EN_ENDPOINTS,
    ...EN_DELIVERY_LOG,
    ...EN_OUTBOUND,
    ...EN_CALLS,
    ...EN_HOOKS,
    ...EN_CHANNEL_SETUP,
    ...EN_TELEGRAM,
    ...EN_FLOWS,
    ...EN_INBOX,
    ...EN_LEADS,
    ...EN_VISITORS,
    ...EN_APPOINTMENTS,
    ...EN_TRIGGERS,
    ...EN_CONTACTS,
    ...EN_BROADCASTS,
    ...EN_BOOKING_SETUP,
    ...EN_ASSISTANT_SETUP,
    ...EN_MODELS,
  },
  ar: {
    ...AR_RUNS,
    ...AR_REPLIES,
    ...AR_STEPS,
    ...AR_PUBLISH,
    ...AR_PROBLEMS,
    ...AR_ACCOUNTS,
    ...AR_FIELDS,
    ...AR_FILES,
    ...AR_KNOWLEDGE,
    ...AR_ENDPOINTS,
    ...AR_DELIVERY_LOG,
    ...AR_OUTBOUND,
    ...AR_CALLS,
    ...AR_HOOKS,
    ...AR_CHANNEL_SETUP,
    ...AR_TELEGRAM,
    ...AR_FLOWS,
    ...AR_INBOX,
    ...AR_LEADS,
    ...AR_VISITORS,
    ...AR_APPOINTMENTS,
    ...AR_TRIGGERS,
    ...AR_CONTACTS,
    ...AR_BROADCASTS,
    ...AR_BOOKING_SETUP,
    ...AR_ASSISTANT_SETUP,
    ...AR_MODELS,
  },
} as const satisfies Record<Language, Catalog<FactParams>>

type Sentence = (params: FactParams[FactCode], format: (fact: Fact) => string) => string

/** Formats a fact in a person's language. An unknown code, of a newer version of the service, is shown as it is. */
export function formatFact({ code, params }: Fact, language: Language): string {
  const sentence = CATALOGS[language][code] as Sentence | undefined
  return sentence ? sentence(params, (fact) => formatFact(fact, language)) : code
}
