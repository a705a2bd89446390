import type { Context } from '../infra/context.ts'
import { canMakeFiles, canWrite } from '../infra/database/can-write.ts'
import { MEASURE } from '../core/limits/deliveries.ts'

/**
 * Whether the database answers and takes what is written. Anybody may ask: it is asked at most once a second, and by
 * one of all who ask at a time. From the first hook request that could not be taken in (`suspect`) on, a file of the
 * database is made and thrown away at each look, until that succeeds: a full disk shows in nothing less.
 */
export function createReadiness({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  let known: { isReady: boolean; at: number } | null = null
  let asking: Promise<boolean> | null = null
  let isSuspect = false

  async function ask(): Promise<boolean> {
    const isReady = await (isSuspect ? canMakeFiles(db) : canWrite(db)).catch(() => false)
    if (isReady) isSuspect = false
    known = { isReady, at: clock.now().getTime() }
    return isReady
  }

  return {
    isReady(): Promise<boolean> {
      const agoMs = known ? clock.now().getTime() - known.at : Infinity
      if (known && agoMs >= 0 && agoMs < MEASURE.readyKeptMs) return Promise.resolve(known.isReady)
      asking ??= ask().finally(() => {
        asking = null
      })
      return asking
    },
    /** What was to be written could not be. */
    suspect(): void {
      if (!isSuspect) known = null
      isSuspect = true
    },
  }
}
