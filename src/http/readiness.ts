import type { Context } from '../infra/context.ts'
import { canMakeFiles, canWrite } from '../infra/database/can-write.ts'
import { METRICS_LIMITS } from '../core/limits/deliveries.ts'
import { within } from './within.ts'

/**
 * Creates the readiness check: whether the database responds and accepts writes. Any client may request it, so the
 * database is queried at most once a second, for all clients together. After a hook request that could not be stored
 * (`suspect`), each check creates and drops a file of the database until that succeeds: nothing less reveals a full
 * disk. While a check takes longer than a second, the answer is no, and no other check begins: a commit that waits for a
 * synchronous standby has no end.
 */
export function createReadiness({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  let known: { isReady: boolean; at: number } | null = null
  let answer: Promise<boolean> | null = null
  let isSuspect = false

  async function check(): Promise<boolean> {
    const isReady = await (isSuspect ? canMakeFiles(db) : canWrite(db)).catch(() => false)
    if (isReady) isSuspect = false
    known = { isReady, at: clock.now().getTime() }
    return isReady
  }

  return {
    isReady(): Promise<boolean> {
      const agoMs = known ? clock.now().getTime() - known.at : Infinity
      if (known && agoMs >= 0 && agoMs < METRICS_LIMITS.readyKeptMs)
        return Promise.resolve(known.isReady)
      if (!answer) {
        const checking = check().finally(() => {
          answer = null
        })
        answer = within(checking, METRICS_LIMITS.withinMs).catch(() => false)
      }
      return answer
    },
    /** Records that a write failed. */
    suspect(): void {
      if (!isSuspect) known = null
      isSuspect = true
    },
  }
}
