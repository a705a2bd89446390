/** What a turn of a reply works with, and what follows from it. */
import type { Transaction } from 'kysely'
import type { ProposalAnswered } from '../connections/answer-proposal.ts'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Tried } from '../models/call-models.ts'
import type { Candidates } from '../models/candidates.sql.ts'
import type { DailyUsage } from '../models/record-usage.ts'
import type { Answer, ModelRequest, ModelFailure } from '../models/model.ts'
import type { ClaimForChannel, ClaimedMessage } from '../messaging/queue-message.ts'
import type { OperatorModel } from '../models/model-access.ts'
import type { GuardFault, Judged } from '../../core/vocabulary/reply-guard.ts'
import type { PhotoToShow } from './build-model-request.ts'
import type { LoadedReply, VoiceNote } from './reply.ts'
import type { ToolResult, ToolContext } from './tools/tool.ts'

/** What came of the effect that the turn before asked for. */
export type EffectResult = { epoch: number; number: number } & (
  | {
      kind: 'answer'
      answer: Answer
      model: string | null
      tried: readonly Tried[]
      offered: readonly string[]
      /** All that models want back in this reply, encrypted; null: nothing. */
      carried: string | null
      /** What the models were asked for that is not counted yet. */
      used: DailyUsage | null
    }
  | { kind: 'told'; told: ToolResult }
  | { kind: 'answered'; answered: ProposalAnswered }
  | { kind: 'heard'; heard: readonly TranscribedNote[] }
)

/** What became of a voice note. */
export type TranscribedNote = {
  messageId: string
  /** Null: nothing was heard, and `failure` says why. */
  text: string | null
  failure: ModelFailure | 'too_long' | 'not_read' | null
  /** Who heard it. */
  model: string | null
}

export type ReplyEffect =
  | {
      kind: 'ask'
      epoch: number
      number: number
      accountId: string
      ask: Omit<ModelRequest, 'tools'>
      deadline: Date
      isTrimmed: boolean
      /** What models want back in this reply, encrypted; null: nothing. */
      carried: string | null
      /** Models that may be asked; null: they are read. */
      known: Candidates | null
      /** Photos, by their places among its messages. */
      photos: readonly PhotoToShow[]
      toolTurn: ToolContext
    }
  | {
      kind: 'hear'
      epoch: number
      number: number
      accountId: string
      notes: readonly VoiceNote[]
      deadline: Date
    }
  /** What the customer has answered to what was stated to them is read, and done. */
  | { kind: 'answer_proposal'; epoch: number; number: number; toolTurn: ToolContext }
  | {
      kind: 'use'
      epoch: number
      number: number
      toolTurn: ToolContext
      name: string
      /** JSON text as the model wrote it. */
      input: string
    }
  /** It waits, has ended, or is no longer ours. What it has queued is to be handed over. */
  | {
      kind: 'rest'
      queued: readonly ClaimedMessage[]
      isOurs: boolean
      /** When it is to be looked at again, where it waits for nothing but the time. */
      dueAt?: Date
    }

export type ReplyAdvanceDeps = Pick<Context, 'db' | 'clock' | 'ids'> & {
  /** That the operator has set up for all accounts, and what it can beside answering. */
  operatorModel(): Pick<OperatorModel, 'transcriptionModel' | 'readsImages'> | null
  /** Where the company has no sentence of its own. */
  sentence(code: CustomerSentence, language: 'ar' | 'en'): string
  eagerClaimFor: ClaimForChannel
  guard: GuardWatch
}

/** How what models write is watched. */
export type GuardWatch = {
  /** Faults that a text is sent with all the same. */
  observes: ReadonlySet<GuardFault>
  /** A text was looked at, and the turn is written. */
  note(judged: Judged): void
}

/** What customers are told in our own words. */
export type CustomerSentence = 'handed_over' | 'handed_over_closed' | 'unsupported_media'

export type ReplyContext = {
  tx: Transaction<DB>
  deps: ReplyAdvanceDeps
  /** Changed as the turn goes on, and saved at its end. */
  hand: LoadedReply
  now: Date
}
