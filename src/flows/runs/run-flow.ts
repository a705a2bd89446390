import type { Context } from '../../context.ts'
import { patiently } from '../../database/patiently.ts'
import type { MessageInHand } from '../../messaging/queue-message.ts'
import { makeStepCall, type Called, type MakeCall } from './make-step-call.ts'
import type { Turn, TurnToTake } from './take-turns.ts'

/** Does the work of a call while the run gives up its place among those at work, and takes it again. */
export type WhileCalling = <Value>(accountId: string, work: () => Promise<Value>) => Promise<Value>

/** What is left of a turn for whoever asked for it. */
export type TurnTaken = Extract<Turn, { kind: 'call' | 'rest' }>

export type RunFlowDeps = Pick<Context, 'db' | 'clock'> & {
  /** Takes a turn, in a batch with others. */
  takeTurn(asked: TurnToTake): Promise<TurnTaken>
  /** Takes what a turn has queued, once it has committed. */
  handOver(messages: readonly MessageInHand[]): void
  makeCall: MakeCall
  whileCalling: WhileCalling
  /** Aborted when the process stops. */
  stopping: AbortSignal
}

/**
 * Takes a claimed run as far as it goes: turn by turn, with each call between two transactions.
 */
export async function runFlow(deps: RunFlowDeps, claimed: TurnToTake['run']): Promise<void> {
  let called: Called | null = null
  for (;;) {
    const turn: TurnTaken = await patiently(() => deps.takeTurn({ run: claimed, called }), deps)
    switch (turn.kind) {
      case 'rest':
        deps.handOver(turn.queued)
        return
      case 'call': {
        called = await deps.whileCalling(claimed.accountId, () => makeStepCall(deps, claimed, turn))
        break
      }
    }
  }
}
