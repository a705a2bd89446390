import type { FlowDefinition } from '../../contract/flow-definition.ts'
import type { Fact } from '../../facts/fact.ts'
import type { Act } from '../../flow-kinds/steps/run-state.ts'
import type { NextMove, RunEnd, RunState } from './advance.ts'
import type { RunDropped } from './end-run.ts'
import type { CallToMake } from './make-step-call.ts'
import type { Hand } from './read-hands.sql.ts'
import type { RunRow } from './read-run.ts'
import type { ClosedCall } from './closed-call.ts'

/** The columns of a run that a turn writes. */
export type RunChange = Pick<
  RunRow,
  | ('status' | 'endReason' | 'endDetail' | 'endedAt' | 'stepId' | 'variables')
  | ('waitKind' | 'waitUntil' | 'waitingSince' | 'wakeAt' | 'claimId' | 'claimedUntil')
  | ('stepsSinceWait' | 'waits' | 'callsInGo' | 'callsInGoMs')
  | ('steps' | 'hasSent' | 'sendFailures' | 'wrongAnswers' | 'language' | 'offered')
>

/** All that a turn of a run writes and leaves to its caller. */
export type PlannedTurn = {
  hand: Hand
  definition: FlowDefinition
  state: RunState
  /** What the steps have done to the customer and the conversation, in order. */
  acts: Act[]
  added: AddedStep[]
  closed: ClosedStep[]
  /** Messages of the customer that the turn read. */
  consumed: string[]
  /** Nothing more of it is to go out. */
  givesUp: boolean
  change: RunChange | null
  end: RunEnd | RunDropped | null
  send: Extract<NextMove, { kind: 'send' }> | null
  call: CallToMake | null
  /** For the caller to do. */
  errand: Extract<NextMove, { kind: 'errand' }> | null
}

export type AddedStep = StepRecordOf & { number: number; endedAt: Date | null }

export type StepRecordOf = {
  stepId: string
  kind: string
  status: string
  detail: Fact | null
  messageId: string | null
  callAttempts: number | null
}

/** What becomes of a step that the history has: of a send, or of a call by its number. */
export type ClosedStep =
  | { messageId: string; status: 'done' | 'failed' | 'interrupted'; detail: Fact | null }
  | ClosedCall
