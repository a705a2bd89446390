/** The assistant's replies, why each was as it was, and what members think of them. Spec: Assistant › Trace. */
import { z } from 'zod'
import { ASSISTANT_SETUP_LIMITS } from '../../core/limits/assistant-setup.ts'
import { REPLY_OUTCOMES, type ReplyState } from '../../core/vocabulary/assistant-setup.ts'
import type { HandoverReason } from '../../core/vocabulary/inbox.ts'
import { orderedPageQuery, placeInTime } from './ordered-page.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './told.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'

/** Newest first. */
export const ReplyQuery = orderedPageQuery(placeInTime, uuidInput).extend({
  outcome: z.enum(REPLY_OUTCOMES).optional(),
  /** Those that somebody called good, or bad. */
  feedback: z.enum(['good', 'bad']).optional(),
})
export type ReplyQuery = z.output<typeof ReplyQuery>

/** Of who asks; a second one takes the place of the first. */
export const GiveFeedback = z.strictObject({
  isGood: z.boolean(),
  note: formText(0, ASSISTANT_SETUP_LIMITS.feedbackChars).default(''),
})
export type GiveFeedback = z.output<typeof GiveFeedback>

export type FeedbackView = {
  person: { id: string; name: string | null }
  isGood: boolean
  note: string
  at: string
}

export type ReplyView = {
  id: string
  conversationId: string
  channelType: string
  contact: { id: string; name: string | null; phone: string | null } | null
  visitorName: string | null
  state: ReplyState
  /** Why it ended as it did, or why nothing was said; null as long as it goes on. */
  why: LocalizedFact | null
  /** Where code decided: which of its rules. */
  detail: string | null
  /** The first words of the customer that it is for; null of a message without any. */
  question: string | null
  startedAt: string
  endedAt: string | null
  modelRequests: number
  tokensIn: number
  tokensOut: number
  good: number
  bad: number
}

type TracedMessage = {
  id: string
  type: string
  text: string | null
  /** What a voice note was heard to say. */
  transcript: string | null
  at: string
}

export type ReplyDetail = ReplyView & {
  /** What of the customer it answers. */
  heard: TracedMessage[]
  said: (TracedMessage & { status: string | null })[]
  handover: { reason: HandoverReason; reasonText: string | null; at: string } | null
  thinkingAt: string | null
  /** How often it began anew, because the customer wrote on. */
  restarts: number
  /** Until when steps and instructions are kept; null as long as it goes on. */
  keptUntil: string | null
  /** False: steps and instructions are gone. */
  isKept: boolean
  steps: StepView[]
  /** The lasting pieces of instructions that its steps name. */
  parts: { id: string; text: string }[]
  feedback: FeedbackView[]
}

export type StepView = {
  epoch: number
  number: number
  kind: 'model' | 'tool' | 'search' | 'guard' | 'hear'
  state: 'started' | 'done' | 'failed' | 'interrupted'
  name: string | null
  at: string
  durationMs: number | null
  /** Of a request to a model: the lasting pieces by their ids, and what changes from reply to reply. */
  told: { parts: string[]; changing: string | null } | null
  /** What a model wrote, what a tool told it, or of `guard` the words that kept a text back, folded. */
  text: string | null
  /** Of a tool, as the model wrote it. */
  input: string | null
  /** What the model asked for. */
  calls: { name: string; input: string }[]
  /** Models that were asked before and gave no answer. */
  tried: { model: string; failure: string }[]
  tokensIn: number | null
  tokensOut: number | null
  /** How much a model reasoned before its answer, in UTF-16 units and in tokens; none of it is kept. */
  thought: { chars: number; tokens: number | null } | null
  /** Why a model gave no answer, or of `guard` why a text was not sent: a code. */
  failure: string | null
  /** Of a tool: whether it did what it was asked for. */
  isDone: boolean | null
  /** Of the customer's answer to what was stated to them: as code has read it. */
  answered: 'agreed' | 'withdrawn' | 'ask_again' | null
  /** Of an action that asks first, in a trial: what the customer would be told and asked. */
  statement: string | null
  /** Of the customer's answer: what they answered to. Null where that is no longer kept. */
  asked: { text: string | null; at: string } | null
  /** Of an appointment that was booked. */
  booked: { reference: string; startsAt: string } | null
  /** What a search found. */
  chunks: {
    number: number
    sourceId: string | null
    title: string
    heading: string | null
    score: number
  }[]
}

/** Whether the assistant answers in a conversation, and what came of it last. */
export type AnsweringView = { state: 'off' | 'no_model' | 'on'; reply: ReplyView | null }
