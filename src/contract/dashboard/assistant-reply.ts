/** The assistant's replies, the reasons for their outcomes, and members' feedback. Spec: Assistant › Trace. */
import { z } from 'zod'
import { ASSISTANT_SETUP_LIMITS } from '../../core/limits/assistant-setup.ts'
import { REPLY_OUTCOMES, type ReplyState } from '../../core/vocabulary/assistant-setup.ts'
import type { HandoverReason } from '../../core/vocabulary/inbox.ts'
import { orderedPageQuery, storableTime } from './ordered-page.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './localized-fact.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'

/** A page of the assistant's replies, newest first. */
export const ReplyQuery = orderedPageQuery(storableTime, uuidInput).extend({
  outcome: z.enum(REPLY_OUTCOMES).optional(),
  /** Replies that a member rated good or bad. */
  feedback: z.enum(['good', 'bad']).optional(),
})
export type ReplyQuery = z.output<typeof ReplyQuery>

/** The rating of the signed-in member. A second rating replaces the first. */
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
  /** The reason for the outcome, or for the silence; null while the reply is running. */
  why: LocalizedFact | null
  /** The rule that decided, for a decision by code. */
  detail: string | null
  /** The beginning of the customer's message; null for a message without text. */
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
  /** The text that a model transcribed from a voice note. */
  transcript: string | null
  at: string
}

export type ReplyDetail = ReplyView & {
  /** The customer's messages that the reply answers. */
  heard: TracedMessage[]
  said: (TracedMessage & { status: string | null })[]
  handover: { reason: HandoverReason; reasonText: string | null; at: string } | null
  thinkingAt: string | null
  /** Number of restarts because the customer wrote again. */
  restarts: number
  /** The time until which steps and instructions are stored; null while the reply is running. */
  keptUntil: string | null
  /** The value is false once steps and instructions are deleted. */
  isKept: boolean
  steps: StepView[]
  /** The lasting pieces of instructions that its steps name. */
  parts: { id: string; text: string }[]
  feedback: FeedbackView[]
}

/** A step of a reply: a model call, a tool call, a search, a check or a transcription. */
export type StepView = {
  epoch: number
  number: number
  kind: 'model' | 'tool' | 'search' | 'guard' | 'hear'
  state: 'started' | 'done' | 'failed' | 'interrupted'
  name: string | null
  at: string
  durationMs: number | null
  /** The instructions of a model call: stored parts by their ids, and the text that changes from reply to reply. */
  prompt: { parts: string[]; changing: string | null } | null
  /** The text of a model or the result of a tool. For `guard`, the case-folded words that blocked a text. */
  text: string | null
  /** The arguments of a tool call, as the model wrote them. */
  input: string | null
  /** The tool calls that the model requested. */
  calls: { name: string; input: string }[]
  /** Models that were called before and failed. */
  tried: { model: string; failure: string }[]
  tokensIn: number | null
  tokensOut: number | null
  /**
   * Length of the model's reasoning before its answer, in UTF-16 units and in tokens. The text itself is not stored.
   */
  thought: { chars: number; tokens: number | null } | null
  /** A code: why a model call failed, or, for `guard`, why a text was not sent. */
  failure: string | null
  /** The success of a tool call. */
  isDone: boolean | null
  /** The customer's answer to a confirmation text, as code has read it. */
  answered: 'agreed' | 'withdrawn' | 'ask_again' | null
  /** The confirmation text that a trial would send, for an action that asks first. */
  statement: string | null
  /** The confirmation text that the customer answered. Its `text` is null once it is no longer stored. */
  confirmation: { text: string | null; at: string } | null
  /** The appointment that the step booked. */
  booked: { reference: string; startsAt: string } | null
  /** The results of a search. */
  chunks: {
    number: number
    sourceId: string | null
    title: string
    heading: string | null
    score: number
  }[]
}

/** The state of the assistant in a conversation, with its last reply. */
export type AnsweringView = { state: 'off' | 'no_model' | 'on'; reply: ReplyView | null }
