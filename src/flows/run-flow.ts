import type { CustomerRef, Outbound, SendResult } from '../channels/channel-adapter.ts'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/database-away.ts'
import type { ClaimedRun } from './claim-runs.sql.ts'
import type { ReadVersion } from './load-version.ts'
import { makeStepCall, type Called, type MakeCall } from './make-step-call.ts'
import { takeTurn, type Effect, type Turn } from './take-turn.ts'

/** Sends a message on a channel. Never throws: what cannot be known is `unknown`. */
export type SendMessage = (
  channelId: string,
  to: CustomerRef,
  message: Outbound,
  ourReference: string,
) => Promise<SendResult>

/** Does the work of a call while the run gives up its place among those at work, and takes it again. */
export type WhileCalling = <Value>(companyId: string, work: () => Promise<Value>) => Promise<Value>

export type RunFlowDeps = Pick<Context, 'db' | 'clock' | 'ids'> & {
  readVersion: ReadVersion
  send: SendMessage
  makeCall: MakeCall
  whileCalling: WhileCalling
}

/**
 * Takes a claimed run as far as it goes: turn by turn, with each send and each call between two
 * transactions.
 */
export async function runFlow(deps: RunFlowDeps, claimed: ClaimedRun): Promise<void> {
  let effect: Effect | null = null
  for (;;) {
    const turn: Turn = await patiently(effect !== null, () => takeTurn(deps, claimed, effect))
    switch (turn.kind) {
      case 'rest':
        return
      case 'send': {
        const { to, messageId, number }: Extract<Turn, { kind: 'send' }> = turn
        const result = await deps.send(turn.channelId, to, turn.message, messageId)
        effect = { kind: 'sent', to, messageId, number, result }
        break
      }
      case 'call': {
        const called: Called = await deps.whileCalling(claimed.companyId, () =>
          makeStepCall(deps, claimed, turn),
        )
        effect = { kind: 'called', ...called }
        break
      }
    }
  }
}

const PATIENCE_MS = [100, 300, 1_000, 3_000, 5_000, 5_000]

/**
 * An answer is worth waiting for the database: a lost one to a send could only be learnt from a
 * receipt, a lost one to a call not at all.
 * Waits well within the run's lease.
 */
async function patiently<Value>(isWorthIt: boolean, work: () => Promise<Value>): Promise<Value> {
  for (const delayMs of isWorthIt ? PATIENCE_MS : []) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }
  return work()
}
