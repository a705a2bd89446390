import type { Fact, FactCode } from '../core/facts/fact.ts'
import type { Entry } from '../core/words/define-words.ts'
import type { Language } from '../core/vocabulary/hooks.ts'
import { derivedValues } from './derived-values.ts'
import { accountFacts } from './facts/accounts.ts'
import { appointmentFacts } from './facts/appointments.ts'
import { assistantSetupFacts } from './facts/assistant-setup.ts'
import { bookingSetupFacts } from './facts/booking-setup.ts'
import { broadcastFacts } from './facts/broadcasts.ts'
import { callFacts } from './facts/calls.ts'
import { channelSetupFacts } from './facts/channel-setup.ts'
import { contactFacts } from './facts/contacts.ts'
import { deliveryLogFacts } from './facts/delivery-log.ts'
import { endpointFacts } from './facts/endpoints.ts'
import { fieldFacts } from './facts/fields.ts'
import { fileFacts } from './facts/files.ts'
import { flowFacts } from './facts/flows.ts'
import { hookFacts } from './facts/hooks.ts'
import { inboxFacts } from './facts/inbox.ts'
import { knowledgeFacts } from './facts/knowledge.ts'
import { leadFacts } from './facts/leads.ts'
import { modelFacts } from './facts/models.ts'
import { outboundFacts } from './facts/outbound.ts'
import { problemFacts } from './facts/problems.ts'
import { publishFacts } from './facts/publish.ts'
import { replyFacts } from './facts/replies.ts'
import { runFacts } from './facts/runs.ts'
import { stepFacts } from './facts/steps.ts'
import { telegramFacts } from './facts/telegram.ts'
import { triggerFacts } from './facts/triggers.ts'
import { visitorFacts } from './facts/visitors.ts'
import { writeText } from './write-text.ts'

/** The sentences of the facts by subject. @internal */
export const SUBJECTS = [
  accountFacts,
  appointmentFacts,
  assistantSetupFacts,
  bookingSetupFacts,
  broadcastFacts,
  callFacts,
  channelSetupFacts,
  contactFacts,
  deliveryLogFacts,
  endpointFacts,
  fieldFacts,
  fileFacts,
  flowFacts,
  hookFacts,
  inboxFacts,
  knowledgeFacts,
  leadFacts,
  modelFacts,
  outboundFacts,
  problemFacts,
  publishFacts,
  replyFacts,
  runFacts,
  stepFacts,
  telegramFacts,
  triggerFacts,
  visitorFacts,
] as const

type CodesOf<Subject> = Subject extends { readonly en: infer Texts } ? keyof Texts : never
type Covered = CodesOf<(typeof SUBJECTS)[number]>

const sentencesIn = (language: Language) =>
  Object.fromEntries(SUBJECTS.flatMap((subject) => Object.entries(subject[language]))) as Readonly<
    Record<Covered, Entry>
  >

/** The sentence of every code. A code without a sentence does not compile. */
export const SENTENCES: Readonly<Record<Language, Readonly<Record<FactCode, Entry>>>> = {
  en: sentencesIn('en'),
  ar: sentencesIn('ar'),
}

/**
 * Formats a fact (a code with parameters) as a sentence in a language. An unknown code, of a newer version of the
 * service, is shown as it is.
 */
export function formatFact(fact: Fact, language: Language): string {
  const sentence: Entry | undefined = SENTENCES[language][fact.code]
  if (sentence === undefined) return fact.code
  const values = derivedValues(fact, language, (inner) => formatFact(inner, language))
  return writeText(sentence, language, values)
}
