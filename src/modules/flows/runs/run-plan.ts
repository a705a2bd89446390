import type { FlowDefinition } from '../../../contract/flow-definition.ts'
import type { Fact } from '../../../core/facts/fact.ts'
import type { StepMutation } from '../../../flow-kinds/steps/run-state.ts'
import type { RunAction, RunEnd, RunState } from './interpret-flow.ts'
import type { SilentEnd } from './end-run.ts'
import type { PendingCall } from './make-step-call.ts'
import type { LoadedRun } from './load-runs.sql.ts'
import type { RunRow } from './read-run.ts'
import type { ClosedCall } from './closed-call.ts'

/** The columns of a run that an advance writes. */
export type RunChange = Pick<
  RunRow,
  | ('status' | 'endReason' | 'endDetail' | 'endedAt' | 'stepId' | 'variables')
  | ('waitKind' | 'waitUntil' | 'waitingSince' | 'dueAt' | 'claimId' | 'leaseExpiresAt')
  | ('stepsSinceWait' | 'waits' | 'callsSinceReply' | 'callsSinceReplyMs')
  | ('steps' | 'hasSent' | 'sendFailures' | 'wrongAnswers' | 'language' | 'offered')
>

/** The plan of an advance: everything that it writes or leaves to its caller. */
export type RunPlan = {
  loaded: LoadedRun
  definition: FlowDefinition
  state: RunState
  /** Changes of the customer and the conversation by steps, in order. */
  mutations: StepMutation[]
  added: AddedStep[]
  closed: ClosedStep[]
  /** Ids of the customer's messages that the advance has read. */
  consumed: string[]
  /** States whether the caller abandons the run's open sends. */
  abandonsSends: boolean
  change: RunChange | null
  end: RunEnd | SilentEnd | null
  send: Extract<RunAction, { kind: 'send' }> | null
  call: PendingCall | null
  /** An inline effect for the caller to run. */
  effect: Extract<RunAction, { kind: 'effect' }> | null
}

/** A step that the advance adds to the history. */
export type AddedStep = StepRecordOf & { number: number; endedAt: Date | null }

/** The columns of a step in the history. */
export type StepRecordOf = {
  stepId: string
  kind: string
  status: string
  detail: Fact | null
  messageId: string | null
  callAttempts: number | null
}

/** The end of a step in the history: of a send by its message, or of a call by its number. */
export type ClosedStep =
  | { messageId: string; status: 'done' | 'failed' | 'interrupted'; detail: Fact | null }
  | ClosedCall
