/**
 * The duty that keeps nothing longer than the reference says. Once an hour it goes over all that
 * has an age, in statements of at most 1,000 rows, each a transaction of its own: no sweep holds up
 * other work, however much there is to delete. What one turn leaves is taken on a few seconds later.
 *
 * Two nodes that sweep together share the rows.
 *
 * Spec: Retention › What is kept; Hooks › Idempotency.
 */
import type { Context } from '../infra/context.ts'
import { expireDeliveries } from '../modules/deliveries/expire-deliveries.sql.ts'
import { LIVE_LIMITS } from '../core/limits/deliveries.ts'
import { SWEEP } from '../core/limits/retention.ts'
import { sweepChanges } from '../modules/live-updates/live-changes.sql.ts'
import { dropOldDays, makeComingDays } from '../modules/events/sweep-days.sql.ts'
import { turnByTurn, type ConcurrentWorker } from './worker-loop.ts'
import { SWEEPS_OF_TABLES, type Sweep } from './sweep-table.ts'

/** In this order: what has expired can go. */
const SWEEPS: Record<string, Sweep> = {
  makeComingDays,
  expireDeliveries,
  ...SWEEPS_OF_TABLES,
  dropOldDays,
  // What a node left that was killed while somebody watched: nobody keeps changes without a watcher.
  deleteOldChanges: (db, now, most) => sweepChanges(db, { now, keptMs: LIVE_LIMITS.keptMs, most }),
}

export function createSweepWorker({
  db,
  clock,
  log,
}: Pick<Context, 'db' | 'clock' | 'log'>): ConcurrentWorker {
  let dueAt = new Date(0)
  let unfinished = Object.keys(SWEEPS)
  let passes = 0

  /** Whether there may be more. What fails is logged, comes again in an hour and stops no other. */
  async function sweep(name: string): Promise<boolean> {
    try {
      const rows = await SWEEPS[name]!(db.kysely, clock.now(), SWEEP.rowsPerStatement)
      if (rows > 0) log.debug({ sweep: name, rows }, 'what was too old is gone')
      return rows >= SWEEP.rowsPerStatement
    } catch (error) {
      log.warn({ err: error, sweep: name }, 'what is too old could not be swept')
      return false
    }
  }

  return turnByTurn({
    name: 'sweep',
    /** One statement of each sweep that is not done: a stop waits for no more than that. */
    async work() {
      const now = clock.now()
      const waitMs = dueAt.getTime() - now.getTime()
      // Further ahead than that it is from before the clock was put back.
      if (waitMs > 0 && waitMs <= SWEEP.everyMs) return false
      const full = []
      for (const name of unfinished) if (await sweep(name)) full.push(name)
      passes += 1
      if (full.length > 0 && passes < SWEEP.passesPerTurn) {
        unfinished = full
        return true
      }
      unfinished = Object.keys(SWEEPS)
      passes = 0
      dueAt = new Date(now.getTime() + (full.length > 0 ? SWEEP.againMs : SWEEP.everyMs))
      return false
    },
    nextDue: () => Promise.resolve(dueAt),
  })
}
