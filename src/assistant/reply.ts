/** A reply of the assistant and what it is made of, as its turns pass them about. */
import type { Selectable } from 'kysely'
import type { Assistant, AssistantReply, AssistantStep } from '../database/tables.ts'
import type { Deed } from '../rules/assistant/done-deeds.ts'
import type { Exchanged } from '../rules/assistant/loop-protection.ts'
import type { ModelAbilities } from '../models/has-usable-model.ts'
import type { ToolCall } from '../models/model.ts'
import type { Candidates } from '../models/candidates.sql.ts'
import type { UseOfDay } from '../models/count-use.ts'
import type { KnownForTools, ToolTold } from './tools/tool.ts'

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

/** What is said, in its parts; the proposal that the last of them states. */
export type Parts = {
  texts: readonly string[]
  buttons: readonly { label: string; payload: string }[]
  proposalId: string | null
  /** Numbers of the pieces of knowledge that it rests on. */
  citations: readonly number[]
}

/** A reply with all that its turn depends on. */
export type HandOfReply = {
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
  unwritten: Unwritten
}

/** What a turn has changed, to be written with how the reply is left. */
export type Unwritten = {
  closed: StepRow[]
  added: StepRow[]
  promptParts: readonly { sha256: Buffer; text: string }[]
  /** Of the conversation from now on. */
  language: string | null
  /** What models were asked for since the turn before. */
  used: UseOfDay | null
}

export type DoneBefore = Deed & { at: Date }

/** What is kept of what a model was asked. */
export type AskedWith = { parts: string[]; changing: string; mark: string }

/** What is kept of a model's answer, besides its text. */
export type AnswerData = {
  calls: readonly ToolCall[]
  finish: string
  tried: readonly { model: string; failure: string | null }[]
  /** Names of the tools that it was offered. */
  offered: readonly string[]
}

/** The step in which the customer's answer to a proposal is read. */
export const AGREEMENT = '(agreement)'

/** A model may call a tool by that name too, always with an input. */
export function isAgreement({ kind, name, input }: Pick<StepRow, 'kind' | 'name' | 'input'>) {
  return kind === 'tool' && name === AGREEMENT && input === null
}

/** What is kept of the use of a tool, besides what it told. */
export type ToolData = {
  callId: string
  isDone: boolean
  /** It may have changed something. */
  hasEffect?: boolean
  /** Before it was begun. */
  hadEffect?: boolean
  handsOver?: ToolTold['handsOver']
  /** Said to the customer word for word. */
  says?: string
  proposalId?: string
  /** In a trial, of an action that asks first: what the customer would be told. */
  statement?: string
  data?: object
  /** What the customer has answered to what was stated to them. */
  answered?: {
    kind: 'agreed' | 'withdrawn' | 'ask_again' | 'none'
    proposalId: string | null
    /** Of what was agreed to. */
    tool?: string
    /** It was called, whatever came of it: that is known here alone. */
    isCalled?: boolean
  }
}

export function answerOf(step: StepRow): AnswerData {
  return JSON.parse(
    step.data ?? '{"calls":[],"finish":"stop","tried":[],"offered":[]}',
  ) as AnswerData
}

/** What is kept of an attempt to hear voice notes: of each why it failed, null where it was heard. */
export type HeardData = { heard: { messageId: string; failure: string | null }[] }

/** Messages of voice notes that this reply has heard, or tried to. */
export function heardOf({ steps }: Pick<HandOfReply, 'steps'>): Set<string> {
  const ended = steps.filter(({ kind, data, state }) => {
    return kind === 'hear' && data !== null && state !== 'interrupted'
  })
  const ids = ended.flatMap(({ data }) => (JSON.parse(data!) as HeardData).heard)
  return new Set(ids.map(({ messageId }) => messageId))
}

export function toolDataOf(step: StepRow): ToolData {
  return JSON.parse(step.data ?? '{"callId":"","isDone":false}') as ToolData
}

/**
 * Whether a step drafted what was never stated, as the reply began anew: it is as if it had not been, and is
 * proposed again where the customer still wants it.
 */
export function isDroppedDraft(step: StepRow, { epoch }: Pick<ReplyRow, 'epoch'>): boolean {
  return step.kind === 'tool' && step.epoch !== epoch && toolDataOf(step).proposalId !== undefined
}

/** What tools of the reply have the customer told, word for word. */
export function saidByTools({ reply, steps }: Pick<HandOfReply, 'reply' | 'steps'>): string[] {
  return steps
    .filter(
      ({ kind, state, epoch }) => kind === 'tool' && state === 'done' && epoch === reply.epoch,
    )
    .flatMap((step) => toolDataOf(step).says ?? [])
}
