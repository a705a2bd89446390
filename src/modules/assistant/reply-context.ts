/** The working context of an advance, and its effects. */
import type { Transaction } from 'kysely'
import type { AnsweredProposal } from '../connections/process-proposal-answer.ts'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { FailedRequest } from '../models/call-models.ts'
import type { Candidates } from '../models/candidates.sql.ts'
import type { DailyUsage } from '../models/record-usage.ts'
import type { Answer, ModelRequest, ModelFailure } from '../models/model.ts'
import type { ClaimForChannel, ClaimedMessage } from '../messaging/queue-message.ts'
import type { OperatorModel } from '../models/model-access.ts'
import type { GuardFault, GuardOutcome } from '../../core/vocabulary/reply-guard.ts'
import type { PhotoToShow } from './build-model-request.ts'
import type { LoadedReply, VoiceNote } from './reply.ts'
import type { ToolResult, ToolContext } from './tools/tool.ts'

/** The result of the effect that the previous advance requested. */
export type EffectResult = { epoch: number; number: number } & (
  | {
      kind: 'answer'
      answer: Answer
      model: string | null
      tried: readonly FailedRequest[]
      offered: readonly string[]
      /** State that models need back in this reply, encrypted; null without any. */
      carried: string | null
      /** Model usage that is not recorded yet. */
      used: DailyUsage | null
    }
  | { kind: 'result'; result: ToolResult }
  | { kind: 'answered'; answered: AnsweredProposal }
  | { kind: 'transcribed'; notes: readonly TranscribedNote[] }
)

/** The outcome of transcribing a voice note. */
export type TranscribedNote = {
  messageId: string
  /** The text; null after a failure, for which `failure` has the reason. */
  text: string | null
  failure: ModelFailure | 'too_long' | 'not_read' | null
  /** The model that transcribed it. */
  model: string | null
}

/** The next effect of a reply. */
export type ReplyEffect =
  | {
      kind: 'model'
      epoch: number
      number: number
      accountId: string
      request: Omit<ModelRequest, 'tools'>
      deadline: Date
      isTrimmed: boolean
      /** State that models need back in this reply, encrypted; null without any. */
      carried: string | null
      /** Models that may be called; null when they are still to be loaded. */
      known: Candidates | null
      /** Photos, by the index of their message. */
      photos: readonly PhotoToShow[]
      toolContext: ToolContext
    }
  | {
      kind: 'hear'
      epoch: number
      number: number
      accountId: string
      notes: readonly VoiceNote[]
      deadline: Date
    }
  /** The customer's answer to a stated proposal is read and executed. */
  | { kind: 'answer_proposal'; epoch: number; number: number; toolContext: ToolContext }
  | {
      kind: 'use'
      epoch: number
      number: number
      toolContext: ToolContext
      name: string
      /** JSON text as the model wrote it. */
      input: string
    }
  /** The reply waits, has ended, or has lost its claim. Pass what it has queued to the send worker. */
  | {
      kind: 'idle'
      queued: readonly ClaimedMessage[]
      /** States whether this process holds the claim of the reply. */
      hasClaim: boolean
      /** The time of the next advance, when it waits for time only. */
      dueAt?: Date
    }

/** The dependencies of an advance. */
export type ReplyAdvanceDeps = Pick<Context, 'db' | 'clock' | 'ids'> & {
  /** Returns the operator's model for all accounts with its additional abilities, or null. */
  operatorModel(): Pick<OperatorModel, 'transcriptionModel' | 'readsImages'> | null
  /** Returns the default sentence, for a company without its own. */
  sentence(code: CustomerSentence, language: 'ar' | 'en'): string
  eagerClaimFor: ClaimForChannel
  guard: GuardWatch
}

/** An observer of the guardrail's verdicts. */
export type GuardWatch = {
  /** Faults with which a text is sent nevertheless. */
  observes: ReadonlySet<GuardFault>
  /** Records a verdict, once the advance is committed. */
  note(outcome: GuardOutcome): void
}

/** The code of a sentence of this service for customers. */
export type CustomerSentence = 'handed_over' | 'handed_over_closed' | 'unsupported_media'

/** The working context of an advance. */
export type ReplyContext = {
  tx: Transaction<DB>
  deps: ReplyAdvanceDeps
  /** The loaded reply, changed during the advance and saved at its end. */
  loaded: LoadedReply
  now: Date
}
