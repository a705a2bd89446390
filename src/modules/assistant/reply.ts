/** A reply of the assistant and its parts, as its advances pass them. */
import type { GuardFault } from '../../core/vocabulary/reply-guard.ts'
import type { Selectable } from 'kysely'
import type { Assistant, AssistantReply, AssistantStep } from '../../infra/database/tables.ts'
import type { Deed } from '../../rules/assistant/statements/deeds.ts'
import type { ExchangedMessage } from '../../rules/assistant/loop-protection.ts'
import type { ModelAbilities } from '../models/has-usable-model.ts'
import type { Candidates } from '../models/candidates.sql.ts'
import type { DailyUsage } from '../models/record-usage.ts'
import { readTranscriptData, readToolData } from './step-data.ts'
import type { ToolInputs } from './tools/tool.ts'

/** A row of the table of replies. */
export type ReplyRow = Selectable<AssistantReply>
/** A row of the table of steps. */
export type StepRow = Selectable<AssistantStep>

/** A stored file with the type and size of its bytes. */
export type MediaFile = { fileId: string; mediaType: string; size: number }

/** A customer's voice note, to be transcribed. */
export type VoiceNote = { messageId: string; file: MediaFile }

/** A message of the conversation. */
export type ConversationMessage = {
  id: string
  direction: string
  /** The sender; null for a customer. */
  sender: string | null
  type: string
  text: string | null
  transcript: string | null
  buttonPayload: string | null
  /** The attachment; null without one, or for an own message. */
  media: { fileId: string; state: string; mediaType: string | null; size: number | null } | null
  replyId: string | null
  createdAt: Date
  occurredAt: Date
  /** The position in the order of arrival. */
  arrival: number
  /** A run consumed the message or was started by it. */
  isOfRun: boolean
}

/** A message of the reply, in its newest attempt. */
export type SentPart = {
  id: string
  /** The number of the part, from 0. */
  part: number
  status: string
  dueAt: Date | null
  claimId: string | null
  errorCode: string | null
}

/** A reply with everything that its advance depends on. */
export type LoadedReply = {
  reply: ReplyRow
  company: {
    id: string
    name: string | null
    accountId: string
    plan: string
    timeZone: string
    openingHours: string | null
  }
  /** The settings; null when the company has never saved any. */
  settings: Selectable<Assistant> | null
  hasModel: boolean
  /** States whether voice notes are transcribed and photos shown: both switched on and supported by a model. */
  able: ModelAbilities
  conversation: {
    id: string
    channelType: string
    contactId: string | null
    visitorName: string | null
    language: string | null
    status: string
    handledBy: string
    takenOverUntil: Date | null
    lastCustomerAt: Date | null
  }
  contact: {
    name: string | null
    language: string | null
    tags: string[]
    fields: Record<string, string>
    optedOutAt: Date | null
  } | null
  channel: {
    id: string
    type: string
    isCoexistence: boolean
    isConnected: boolean
    disconnectedReason: string | null
  }
  /** A flow has an effect in progress in the conversation and will become idle. */
  isDuringRun: boolean
  /** A proposal was stated, which the customer may have answered. */
  hasProposal: boolean
  steps: StepRow[]
  sent: SentPart[]
  /** The newest messages, oldest first. */
  talk: ConversationMessage[]
  /** The recent exchange, for loop protection. */
  exchanged: (ExchangedMessage & { id: string })[]
  /** Effects of earlier replies in the conversation, newest first. */
  doneBefore: DoneBefore[]
  /** Models that may be called; null when the caller loads them. */
  candidates: Candidates | null
  /** The values that decide which tools are offered; null when the tools load them. */
  offered: ToolInputs | null
  pending: PendingWrites
  /** Guardrail faults that the operator only observes. */
  observes: ReadonlySet<GuardFault>
  /** A member decides about sending it; what they have done themselves is unknown. */
  isForStaff: boolean
}

/** Changes of an advance, written together with the reply. */
export type PendingWrites = {
  closed: StepRow[]
  added: StepRow[]
  promptParts: readonly { sha256: Buffer; text: string }[]
  /** The new language of the conversation. */
  language: string | null
  /** Model usage since the previous advance. */
  used: DailyUsage | null
}

/** An effect of an earlier reply, with its time. */
export type DoneBefore = Deed & { at: Date }

/** Returns the key of a step in the state that models need back. */
export const stepKey = ({ epoch, number }: Pick<StepRow, 'epoch' | 'number'>): string =>
  `${epoch}.${number}`

/** The name of the step in which the customer's answer to a proposal is read. */
export const AGREEMENT = '(agreement)'

/**
 * Returns whether a step reads the customer's answer to a proposal. A model may call a tool of that name, but always
 * with an input.
 */
export function isAnswerToProposal({
  kind,
  name,
  input,
}: Pick<StepRow, 'kind' | 'name' | 'input'>) {
  return kind === 'tool' && name === AGREEMENT && input === null
}

/** Returns the messages whose voice notes this reply has tried to transcribe. */
export function transcribedIdsOf({ steps }: Pick<LoadedReply, 'steps'>): Set<string> {
  const ended = steps.filter(({ kind, data, state }) => {
    return kind === 'hear' && data !== null && state !== 'interrupted'
  })
  const ids = ended.flatMap((step) => readTranscriptData(step).heard)
  return new Set(ids.map(({ messageId }) => messageId))
}

/**
 * Returns whether a step drafted a proposal that was never stated, because the reply restarted. It is ignored, and
 * drafted again if the customer still wants it.
 */
export function isDroppedDraft(step: StepRow, { epoch }: Pick<ReplyRow, 'epoch'>): boolean {
  return step.kind === 'tool' && step.epoch !== epoch && readToolData(step).proposalId !== undefined
}

/** Returns the sentences of the reply's tools for the customer. */
export function toolSentencesOf({ reply, steps }: Pick<LoadedReply, 'reply' | 'steps'>): string[] {
  return steps
    .filter(
      ({ kind, state, epoch }) => kind === 'tool' && state === 'done' && epoch === reply.epoch,
    )
    .flatMap((step) => readToolData(step).says ?? [])
}
