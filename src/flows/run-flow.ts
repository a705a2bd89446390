import type { CustomerRef, Outbound, SendResult } from '../channels/channel-adapter.ts'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/database-away.ts'
import type { ClaimedRun } from './claim-runs.sql.ts'
import type { ReadVersion } from './load-version.ts'
import { takeTurn, type Sent, type Turn } from './take-turn.ts'

/** Sends a message on a channel. Never throws: what cannot be known is `unknown`. */
export type SendMessage = (
  channelId: string,
  to: CustomerRef,
  message: Outbound,
  ourReference: string,
) => Promise<SendResult>

/** Takes a claimed run as far as it goes: turn by turn, with each send between two transactions. */
export async function runFlow(
  deps: Pick<Context, 'db' | 'clock' | 'ids'> & { readVersion: ReadVersion; send: SendMessage },
  claimed: ClaimedRun,
): Promise<void> {
  let sent: Sent | null = null
  for (;;) {
    const turn: Turn = await patiently(sent !== null, () => takeTurn(deps, claimed, sent))
    if (turn.kind === 'rest') return
    const result = await deps.send(turn.channelId, turn.to, turn.message, turn.messageId)
    sent = { to: turn.to, messageId: turn.messageId, result }
  }
}

const PATIENCE_MS = [100, 300, 1_000, 3_000, 5_000, 5_000]

/**
 * A send's answer is worth waiting for the database: lost, it could only be learnt from a receipt.
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
