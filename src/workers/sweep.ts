/**
 * The retention sweep: deletes expired rows once an hour, in statements of at most 1,000 rows, each a separate
 * transaction, so that it delays no other work. The next pass, a few seconds later, continues where one stopped. Two
 * nodes that sweep concurrently share the rows.
 *
 * Spec: Retention › Retention periods; Hooks › Idempotency.
 */
import type { Context } from '../infra/context.ts'
import { isDatabaseUnavailable } from '../infra/database/is-database-unavailable.ts'
import { expireDeliveries } from '../modules/deliveries/expire-deliveries.sql.ts'
import { LIVE_LIMITS } from '../core/limits/deliveries.ts'
import { SWEEP } from '../core/limits/retention.ts'
import { sweepChanges } from '../modules/live-updates/live-changes.sql.ts'
import {
  dropOldPartitions,
  createComingPartitions,
} from '../modules/events/sweep-partitions.sql.ts'
import { withoutConcurrency, type ConcurrentWorker } from './worker-loop.ts'
import { SWEEPS_OF_TABLES, type Sweep } from './sweep-table.ts'

/** The sweeps in their order: deliveries must expire before their day can be dropped. */
const SWEEPS: Record<string, Sweep> = {
  createComingPartitions,
  expireDeliveries,
  ...SWEEPS_OF_TABLES,
  dropOldPartitions,
  // Changes left by a node that was killed while it had a watcher.
  deleteOldChanges: (db, now, limit) =>
    sweepChanges(db, { now, keptMs: LIVE_LIMITS.keptMs, limit }),
}

/** Creates the worker that deletes data past its retention time. */
export function createSweepWorker({
  db,
  clock,
  log,
}: Pick<Context, 'db' | 'clock' | 'log'>): ConcurrentWorker {
  let dueAt = new Date(0)
  /** The time since which `unfinished` leaves out the sweeps that have ended. */
  let begunAt = new Date(0)
  let unfinished = Object.keys(SWEEPS)
  let passes = 0
  let isHalted = false

  /**
   * Runs one sweep and returns whether there may be more. A failure is logged and repeated in an hour.
   * @throws when the database is unavailable
   */
  async function sweep(name: string): Promise<boolean> {
    try {
      const rows = await SWEEPS[name]!(db.kysely, clock.now(), SWEEP.rowsPerStatement)
      if (rows > 0) log.debug({ sweep: name, rows }, 'expired rows deleted')
      return rows >= SWEEP.rowsPerStatement
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      log.warn({ err: error, sweep: name }, 'sweep failed: retrying in an hour')
      return false
    }
  }

  return withoutConcurrency({
    name: 'sweep',
    /**
     * Runs one statement of each unfinished sweep. A failed sweep stops no other one: dropping a day may free the disk
     * that is full. Throws at the end if the database was unavailable, so that the loop repeats the failed ones soon.
     */
    async work() {
      const now = clock.now()
      const waitMs = dueAt.getTime() - now.getTime()
      // A later time was set before the clock was set back.
      if (waitMs > 0 && waitMs <= SWEEP.everyMs) return false
      const sinceMs = now.getTime() - begunAt.getTime()
      // One sweep that fails for hours, as on a full disk, must not keep the others from their next run.
      if (sinceMs < 0 || sinceMs >= SWEEP.everyMs) {
        begunAt = now
        unfinished = Object.keys(SWEEPS)
      }
      const full: string[] = []
      const failed: string[] = []
      let whyFailed: unknown
      for (const name of unfinished) {
        if (isHalted) return false
        try {
          if (await sweep(name)) full.push(name)
        } catch (error) {
          failed.push(name)
          whyFailed = error
        }
      }
      if (failed.length > 0) {
        unfinished = unfinished.filter((name) => full.includes(name) || failed.includes(name))
        throw whyFailed
      }
      passes += 1
      if (full.length > 0 && passes < SWEEP.passesPerRun) {
        unfinished = full
        return true
      }
      unfinished = Object.keys(SWEEPS)
      passes = 0
      dueAt = new Date(now.getTime() + (full.length > 0 ? SWEEP.againMs : SWEEP.everyMs))
      return false
    },
    nextDue: () => Promise.resolve(dueAt),
    // In an outage each sweep waits for a connection, and a stop must not wait for all of them.
    halt() {
      isHalted = true
    },
  })
}
