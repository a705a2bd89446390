import type { Context } from '../context.ts'
import { MEASURE } from '../limits/deliveries.ts'

/**
 * Whether the database answers. Anybody may ask: it is asked at most once a second, and by one of all
 * who ask at a time.
 */
export function createReadiness({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  let known: { isReady: boolean; at: number } | null = null
  let asking: Promise<boolean> | null = null

  async function ask(): Promise<boolean> {
    const isReady = await db.pool.query('select 1').then(
      () => true,
      () => false,
    )
    known = { isReady, at: clock.now().getTime() }
    return isReady
  }

  return function isReady(): Promise<boolean> {
    const agoMs = known ? clock.now().getTime() - known.at : Infinity
    if (known && agoMs >= 0 && agoMs < MEASURE.readyKeptMs) return Promise.resolve(known.isReady)
    asking ??= ask().finally(() => {
      asking = null
    })
    return asking
  }
}
