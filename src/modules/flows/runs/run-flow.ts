import type { Context } from '../../../infra/context.ts'
import { retryWhileUnavailable } from '../../../infra/database/retry-while-unavailable.ts'
import type { ClaimedMessage } from '../../messaging/queue-message.ts'
import { makeStepCall, type StepCallResult, type MakeCall } from './make-step-call.ts'
import type { AdvanceResult, RunToAdvance } from './advance-runs.ts'

/** A function that makes a call while the run's concurrency slot is free for other runs. */
export type WithoutSlot = <Value>(accountId: string, work: () => Promise<Value>) => Promise<Value>

/** The part of an advance's result that concerns its caller. */
export type AdvanceOutcome = Extract<AdvanceResult, { kind: 'call' | 'idle' }>

/** The dependencies of a claimed run's execution. */
export type RunFlowDeps = Pick<Context, 'db' | 'clock'> & {
  /** Advances a run, in a batch with others. */
  advance(run: RunToAdvance): Promise<AdvanceOutcome>
  /** Passes queued messages to the send worker, after the commit. */
  dispatchMessages(messages: readonly ClaimedMessage[]): void
  makeCall: MakeCall
  withoutSlot: WithoutSlot
  /** Aborts when the process stops. */
  stopping: AbortSignal
}

/** Executes a claimed run until it is idle: advances in transactions, with each call between two of them. */
export async function runFlow(deps: RunFlowDeps, claimed: RunToAdvance['run']): Promise<void> {
  let called: StepCallResult | null = null
  for (;;) {
    const result: AdvanceOutcome = await retryWhileUnavailable(
      () => deps.advance({ run: claimed, called }),
      deps,
    )
    switch (result.kind) {
      case 'idle':
        deps.dispatchMessages(result.queued)
        return
      case 'call': {
        called = await deps.withoutSlot(claimed.accountId, () =>
          makeStepCall(deps, claimed, result),
        )
        break
      }
    }
  }
}
