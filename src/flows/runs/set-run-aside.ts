import type { Context } from '../../context.ts'
import { transaction } from '../../database/transaction.ts'
import { fact } from '../../facts/fact.ts'
import { RUN_LIMITS } from '../../limits/flows.ts'
import { giveUpSends } from '../../messaging/give-up-sends.ts'
import { failed, type Variables } from './advance.ts'
import type { ClaimedRun } from './claim-runs.sql.ts'
import { endRun } from './end-run.ts'
import { lockRun } from './read-run.ts'

/**
 * A run whose turn cannot be taken, by a fault of ours, waits, longer each time; after that it fails,
 * since nothing can be done for it. Returns when it is looked at again; null when it is not.
 */
export async function setRunAside(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  claimed: ClaimedRun,
): Promise<Date | null> {
  return transaction(db, async (tx) => {
    const hand = await lockRun(tx, claimed)
    if (!hand) return null
    const now = clock.now()
    const { faults, variables } = hand.run
    const delayMs = RUN_LIMITS.faultDelaysMs[faults]
    if (delayMs === undefined) {
      await giveUpSends(tx, now, hand.run.id)
      const end = failed('error', fact('run_not_taken_on'))
      await endRun(tx, { ids, now }, hand, end, JSON.parse(variables) as Variables)
      return null
    }
    const wakeAt = new Date(now.getTime() + delayMs)
    await tx
      .updateTable('flowRun')
      .set({ faults: faults + 1, wakeAt, claimId: null, claimedUntil: null })
      .where('id', '=', hand.run.id)
      .execute()
    return wakeAt
  })
}
