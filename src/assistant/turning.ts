/** What a turn of a reply works with, and what follows from it. */
import type { Transaction } from 'kysely'
import type { ProposalAnswered } from '../connections/answer-proposal.ts'
import type { Context } from '../context.ts'
import type { DB } from '../database/tables.ts'
import type { Tried } from '../models/ask-models.ts'
import type { Candidates } from '../models/candidates.sql.ts'
import type { UseOfDay } from '../models/count-use.ts'
import type { Answer, Ask, ModelFailure } from '../models/model.ts'
import type { ClaimForChannel, MessageInHand } from '../messaging/queue-message.ts'
import type { OperatorModel } from '../models/model-access.ts'
import type { GuardFault, Judged } from '../vocabulary/reply-guard.ts'
import type { PhotoToShow } from './build-ask.ts'
import type { HandOfReply, VoiceNote } from './reply.ts'
import type { ToolTold, ToolTurn } from './tools/tool.ts'

/** What came of the effect that the turn before asked for. */
export type CameBack = { epoch: number; number: number } & (
  | {
      kind: 'answer'
      answer: Answer
      model: string | null
      tried: readonly Tried[]
      offered: readonly string[]
      /** All that models want back in this reply, encrypted; null: nothing. */
      carried: string | null
      /** What the models were asked for that is not counted yet. */
      used: UseOfDay | null
    }
  | { kind: 'told'; told: ToolTold }
  | { kind: 'answered'; answered: ProposalAnswered }
  | { kind: 'heard'; heard: readonly HeardNote[] }
)

/** What became of a voice note. */
export type HeardNote = {
  messageId: string
  /** Null: nothing was heard, and `failure` says why. */
  text: string | null
  failure: ModelFailure | 'too_long' | 'not_read' | null
  /** Who heard it. */
  model: string | null
}

export type ReplyTurn =
  | {
      kind: 'ask'
      epoch: number
      number: number
      accountId: string
      ask: Omit<Ask, 'tools'>
      deadline: Date
      isTrimmed: boolean
      /** What models want back in this reply, encrypted; null: nothing. */
      carried: string | null
      /** Models that may be asked; null: they are read. */
      known: Candidates | null
      /** Photos, by their places among its messages. */
      photos: readonly PhotoToShow[]
      toolTurn: ToolTurn
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
  | { kind: 'answer_proposal'; epoch: number; number: number; toolTurn: ToolTurn }
  | {
      kind: 'use'
      epoch: number
      number: number
      toolTurn: ToolTurn
      name: string
      /** JSON text as the model wrote it. */
      input: string
    }
  /** It waits, has ended, or is no longer ours. What it has queued is to be handed over. */
  | {
      kind: 'rest'
      queued: readonly MessageInHand[]
      isOurs: boolean
      /** When it is to be looked at again, where it waits for nothing but the time. */
      wakeAt?: Date
    }

export type ReplyTurnDeps = Pick<Context, 'db' | 'clock' | 'ids'> & {
  /** That the operator has set up for all accounts, and what it can beside answering. */
  operatorModel(): Pick<OperatorModel, 'transcriptionModel' | 'readsImages'> | null
  /** Where the company has no sentence of its own. */
  sentence(code: CustomerSentence, language: 'ar' | 'en'): string
  claimFor: ClaimForChannel
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

export type Turning = {
  tx: Transaction<DB>
  deps: ReplyTurnDeps
  /** Changed as the turn goes on, and saved at its end. */
  hand: HandOfReply
  now: Date
}
