import type { Context } from '../../../infra/context.ts'
import { retryWhileUnavailable } from '../../../infra/database/retry-while-unavailable.ts'
import type { ClaimedMessage } from '../../messaging/queue-message.ts'
import { makeStepCall, type Called, type MakeCall } from './make-step-call.ts'
import type { AdvanceResult, RunToAdvance } from './advance-runs.ts'

/** Does the work of a call while the run gives up its place among those at work, and takes it again. */
export type WhileCalling = <Value>(accountId: string, work: () => Promise<Value>) => Promise<Value>

/** What is left of a turn for whoever asked for it. */
export type TurnTaken = Extract<AdvanceResult, { kind: 'call' | 'rest' }>

export type RunFlowDeps = Pick<Context, 'db' | 'clock'> & {
  /** Takes a turn, in a batch with others. */
  takeTurn(asked: RunToAdvance): Promise<TurnTaken>
  /** Takes what a turn has queued, once it has committed. */
  handOver(messages: readonly ClaimedMessage[]): void
  makeCall: MakeCall
  withoutSlot: WhileCalling
  /** Aborted when the process stops. */
  stopping: AbortSignal
}

/**
 * Takes a claimed run as far as it goes: turn by turn, with each call between two transactions.
 */
export async function runFlow(deps: RunFlowDeps, claimed: RunToAdvance['run']): Promise<void> {
  let called: Called | null = null
  for (;;) {
    const turn: TurnTaken = await retryWhileUnavailable(
      () => deps.takeTurn({ run: claimed, called }),
      deps,
    )
    switch (turn.kind) {
      case 'rest':
        deps.handOver(turn.queued)
        return
      case 'call': {
        called = await deps.withoutSlot(claimed.accountId, () => makeStepCall(deps, claimed, turn))
        break
      }
    }
  }
}
