import type { FlowDefinition } from '../../../contract/flow-definition.ts'
import type { Fact } from '../../../core/facts/fact.ts'
import type { StepMutation } from '../../../flow-kinds/steps/run-state.ts'
import type { NextMove, RunEnd, RunState } from './interpret-flow.ts'
import type { SilentEnd } from './end-run.ts'
import type { PendingCall } from './make-step-call.ts'
import type { LoadedRun } from './load-runs.sql.ts'
import type { RunRow } from './read-run.ts'
import type { ClosedCall } from './closed-call.ts'

/** The columns of a run that a turn writes. */
export type RunChange = Pick<
  RunRow,
  | ('status' | 'endReason' | 'endDetail' | 'endedAt' | 'stepId' | 'variables')
  | ('waitKind' | 'waitUntil' | 'waitingSince' | 'dueAt' | 'claimId' | 'leaseExpiresAt')
  | ('stepsSinceWait' | 'waits' | 'callsSinceReply' | 'callsSinceReplyMs')
  | ('steps' | 'hasSent' | 'sendFailures' | 'wrongAnswers' | 'language' | 'offered')
>

/** All that a turn of a run writes and leaves to its caller. */
export type RunPlan = {
  hand: LoadedRun
  definition: FlowDefinition
  state: RunState
  /** What the steps have done to the customer and the conversation, in order. */
  acts: StepMutation[]
  added: AddedStep[]
  closed: ClosedStep[]
  /** Messages of the customer that the turn read. */
  consumed: string[]
  /** Nothing more of it is to go out. */
  givesUp: boolean
  change: RunChange | null
  end: RunEnd | SilentEnd | null
  send: Extract<NextMove, { kind: 'send' }> | null
  call: PendingCall | null
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
