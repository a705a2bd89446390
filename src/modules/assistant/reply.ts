/** A reply of the assistant and what it is made of, as its turns pass them about. */
import type { GuardFault } from '../../core/vocabulary/reply-guard.ts'
import type { Selectable } from 'kysely'
import type { Assistant, AssistantReply, AssistantStep } from '../../infra/database/tables.ts'
import type { Deed } from '../../rules/assistant/statements/deeds.ts'
import type { Exchanged } from '../../rules/assistant/loop-protection.ts'
import type { ModelAbilities } from '../models/has-usable-model.ts'
import type { Candidates } from '../models/candidates.sql.ts'
import type { DailyUsage } from '../models/record-usage.ts'
import { heardDataOf, toolDataOf } from './step-data.ts'
import type { KnownForTools } from './tools/tool.ts'

export type ReplyRow = Selectable<AssistantReply>
export type StepRow = Selectable<AssistantStep>

/** A file that is kept, with what its bytes are. */
export type MediaFile = { fileId: string; mediaType: string; size: number }

/** What a customer said, to be written down. */
export type VoiceNote = { messageId: string; file: MediaFile }

/** A message of the conversation, by whoever wrote it. */
export type TalkMessage = {
  id: string
  direction: string
  /** Null of a customer. */
  sender: string | null
  type: string
  text: string | null
  transcript: string | null
  buttonPayload: string | null
  /** What it took along; null: nothing, or it was sent by us. */
  media: { fileId: string; state: string; mediaType: string | null; size: number | null } | null
  replyId: string | null
  createdAt: Date
  occurredAt: Date
  /** Its place in the order of arrival. */
  arrival: number
  /** A run has taken it, or was started by it. */
  isOfRun: boolean
}

/** One of the reply's own messages, of its tries the newest. */
export type SentPart = {
  id: string
  /** From 0. */
  part: number
  status: string
  dueAt: Date | null
  claimId: string | null
  errorCode: string | null
}

/** A reply with all that its turn depends on. */
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
  /** Null where the company never set one up. */
  settings: Selectable<Assistant> | null
  hasModel: boolean
  /** Voice notes are transcribed, and photos shown: it is set so, and a model can. */
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
  /** A flow is at work in the conversation, and will rest. */
  isBesideRun: boolean
  /** Something was stated to the customer, who may have answered it. */
  hasProposal: boolean
  steps: StepRow[]
  sent: SentPart[]
  /** The newest, oldest first. */
  talk: TalkMessage[]
  /** Of the gathering: what loop protection looks at. */
  exchanged: (Exchanged & { id: string })[]
  /** What earlier replies of the conversation have done, the newest first. */
  doneBefore: DoneBefore[]
  /** Models that may be asked; null: whoever asks reads them. */
  candidates: Candidates | null
  /** What tools are offered by; null: they read it. */
  offered: KnownForTools | null
  unwritten: PendingWrites
  /** Faults that a text of the model is sent with, where its operator only watches them. */
  observes: ReadonlySet<GuardFault>
  /** A person sends it, or not: what they have done themselves is not known. */
  isForStaff: boolean
}

/** What a turn has changed, to be written with how the reply is left. */
export type PendingWrites = {
  closed: StepRow[]
  added: StepRow[]
  promptParts: readonly { sha256: Buffer; text: string }[]
  /** Of the conversation from now on. */
  language: string | null
  /** What models were asked for since the turn before. */
  used: DailyUsage | null
}

export type DoneBefore = Deed & { at: Date }

/** By which it is known what models want back of a step. */
export const stepName = ({ epoch, number }: Pick<StepRow, 'epoch' | 'number'>): string =>
  `${epoch}.${number}`

/** The step in which the customer's answer to a proposal is read. */
export const AGREEMENT = '(agreement)'

/** A model may call a tool by that name too, always with an input. */
export function isAgreement({ kind, name, input }: Pick<StepRow, 'kind' | 'name' | 'input'>) {
  return kind === 'tool' && name === AGREEMENT && input === null
}

/** Messages of voice notes that this reply has heard, or tried to. */
export function heardOf({ steps }: Pick<LoadedReply, 'steps'>): Set<string> {
  const ended = steps.filter(({ kind, data, state }) => {
    return kind === 'hear' && data !== null && state !== 'interrupted'
  })
  const ids = ended.flatMap((step) => heardDataOf(step).heard)
  return new Set(ids.map(({ messageId }) => messageId))
}

/**
 * Whether a step drafted what was never stated, as the reply began anew: it is as if it had not been, and is
 * proposed again where the customer still wants it.
 */
export function isDroppedDraft(step: StepRow, { epoch }: Pick<ReplyRow, 'epoch'>): boolean {
  return step.kind === 'tool' && step.epoch !== epoch && toolDataOf(step).proposalId !== undefined
}

/** What tools of the reply have the customer told, word for word. */
export function saidByTools({ reply, steps }: Pick<LoadedReply, 'reply' | 'steps'>): string[] {
  return steps
    .filter(
      ({ kind, state, epoch }) => kind === 'tool' && state === 'done' && epoch === reply.epoch,
    )
    .flatMap((step) => toolDataOf(step).says ?? [])
}
