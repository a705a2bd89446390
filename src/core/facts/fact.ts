/**
 * Facts: a code with its parameters for each event and each broken rule. Facts are stored and returned by modules;
 * `i18n/` formats them in a person's language.
 */
import type { AccountFacts } from './accounts.ts'
import type { BroadcastFacts } from './broadcasts.ts'
import type { BookingSetupFacts } from './booking-setup.ts'
import type { AppointmentFacts } from './appointments.ts'
import type { CallFacts } from './calls.ts'
import type { ChannelSetupFacts } from './channel-setup.ts'
import type { ContactFacts } from './contacts.ts'
import type { DeliveryLogFacts } from './delivery-log.ts'
import type { EndpointFacts } from './endpoints.ts'
import type { FieldFacts } from './fields.ts'
import type { FileFacts } from './files.ts'
import type { FlowFacts } from './flows.ts'
import type { HookFacts } from './hooks.ts'
import type { InboxFacts } from './inbox.ts'
import type { KnowledgeFacts } from './knowledge.ts'
import type { LeadFacts } from './leads.ts'
import type { OutboundFacts } from './outbound.ts'
import type { ProblemFacts } from './problems.ts'
import type { AssistantSetupFacts } from './assistant-setup.ts'
import type { ModelFacts } from './models.ts'
import type { None } from './none.ts'
import type { VisitorFacts } from './visitors.ts'
import type { PublishFacts } from './publish.ts'
import type { ReplyFacts } from './replies.ts'
import type { RunFacts } from './runs.ts'
import type { StepFacts } from './steps.ts'
import type { TelegramFacts } from './telegram.ts'
import type { TriggerFacts } from './triggers.ts'

/** The parameters of each fact by its code. The codes of one subject are declared in one file: a chapter. */
export interface FactParams
  extends
    RunFacts,
    ReplyFacts,
    StepFacts,
    PublishFacts,
    ProblemFacts,
    AccountFacts,
    FieldFacts,
    FileFacts,
    EndpointFacts,
    DeliveryLogFacts,
    OutboundFacts,
    CallFacts,
    HookFacts,
    ChannelSetupFacts,
    TelegramFacts,
    FlowFacts,
    InboxFacts,
    LeadFacts,
    AppointmentFacts,
    TriggerFacts,
    ContactFacts,
    BookingSetupFacts,
    BroadcastFacts,
    VisitorFacts,
    AssistantSetupFacts,
    ModelFacts,
    KnowledgeFacts {
  // A chapter cannot import this file, which imports every chapter, so facts inside other facts are typed here.
  channel_disconnected: { why: Fact | null }
  message_undelivered: { why: Fact }
  request_valid: { field: string; said: Fact }
  broadcast_refused: { why: Fact }
  import_cell: { column: string; said: Fact }
  import_row: { said: Fact }
}

/** The code of a fact. */
export type FactCode = keyof FactParams

/** A code with its parameters, such as `{ code: 'too_many_tags', params: { max: 50 } }`. */
export type Fact<Code extends FactCode = FactCode> = {
  [Each in Code]: { code: Each; params: FactParams[Each] }
}[Code]

/**
 * A fact about the field at a path, such as an invalid value of a form. The type is not an intersection with `Fact`,
 * because the compiler finds the member of a union by its `code` only where all members are plain objects; otherwise it
 * compares all pairs.
 */
export type FieldFact = {
  [Each in FactCode]: { field: string; code: Each; params: FactParams[Each] }
}[FactCode]

/** Creates a fact: a code with typed parameters, which `i18n/` formats as a sentence for its reader. */
export function fact<Code extends FactCode>(
  code: Code,
  ...[params]: FactParams[Code] extends None ? [] : [FactParams[Code]]
): Fact<Code> {
  return { code, params: params ?? {} } as unknown as Fact<Code>
}
