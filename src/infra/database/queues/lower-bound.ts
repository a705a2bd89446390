/**
 * A lower bound (low-water mark) of the due times and ends of leases that the statements of a queue read. While an older
 * transaction is open, such as that of a backup, rows that have left a queue stay in its indexes. A statement that begins
 * with the row that is due longest then reads all of them each time. Only a statement that took long leads to a bound:
 * the time of the earliest row that waits or is claimed. It ends after a few seconds, and the next statement reads all
 * rows again.
 */
import type { Kysely } from 'kysely'
import type { DB } from '../tables.ts'
import { earliestOf } from './next-due.sql.ts'
import type { Claimable, Queue, Since } from './queue.ts'

/** Duration of a statement that leads to a lower bound. */
const LONG_MS = 50
/**
 * A row that is written within this time after its due time is found immediately. A later one can be before the bound:
 * its transaction was open for that long, or another process had claimed it and released it. Such a row is found after
 * the end of the bound. In the meantime newer rows of its endpoint or channel may be claimed first, as they may be
 * before it is written. All other rows keep their order.
 */
const WRITTEN_WITHIN_MS = 20_000
/** A lower bound applies for at least this time, which is shorter than the interval of the poll. */
const APPLIES_MS = 5_000
/** A lower bound applies this many times as long as the statements without one took. They take a tenth of the time. */
const TIMES_AS_LONG = 10
/** A lower bound applies for at most this time, also when the clock is set forward during a statement. */
const APPLIES_MAX_MS = 30_000

/** The lower bound of a queue in this process. */
export type LowerBound = {
  /**
   * Runs a statement with the current lower bound, and measures its duration by the clock. An error ends the bound, as
   * the database may be another one afterwards.
   */
  read<Value>(statement: (since: Since) => Promise<Value>): Promise<Value>
  /** Returns the lower bound that the last statement has used; null when it has read all rows. */
  current(): Since
  /** Lowers the bound to the due time of a row that this process has released. */
  lowerTo(dueAt: Date): void
  /** Ends the lower bound: rows before it have become due. */
  end(): void
}

/**
 * Creates a lower bound, which applies only after a statement that took long.
 * @param readEarliest reads the time of the earliest row that must not be before the bound, null when there is none
 */
export function createLowerBound(
  clock: { now(): Date },
  readEarliest: () => Promise<Date | null>,
): LowerBound {
  let since: Since = null
  /** The times between which the bound applies. The clock may be set back. */
  let applies = { from: 0, until: 0 }
  /** The duration of a statement without a bound that took long. */
  let longMs: number | null = null

  /** Reads the earliest row, and sets the bound. Rows of other transactions may appear up to a while later. */
  async function set(tookMs: number): Promise<void> {
    const from = clock.now().getTime()
    const earliest = await readEarliest()
    since = new Date(Math.min(earliest?.getTime() ?? Infinity, from - WRITTEN_WITHIN_MS))
    const now = clock.now().getTime()
    const forMs = Math.max(APPLIES_MS, TIMES_AS_LONG * (tookMs + now - from))
    applies = { from, until: now + Math.min(forMs, APPLIES_MAX_MS) }
    longMs = null
  }

  function doesApply(): boolean {
    const now = clock.now().getTime()
    return now >= applies.from && now < applies.until
  }

  function end(): void {
    since = null
    longMs = null
  }

  return {
    async read(statement) {
      const begunAt = clock.now().getTime()
      if (!doesApply()) since = null
      try {
        if (longMs !== null) await set(longMs)
        const used = since
        const value = await statement(used)
        const tookMs = clock.now().getTime() - begunAt
        if (used === null && since === null && tookMs > LONG_MS) longMs = tookMs
        return value
      } catch (error) {
        end()
        throw error
      }
    },
    current: () => (doesApply() ? since : null),
    lowerTo(dueAt) {
      if (since !== null && dueAt < since) since = dueAt
    },
    end,
  }
}

/** The lower bounds of the queues of a database in this process. */
const boundsOf = new WeakMap<Kysely<DB>, Set<LowerBound>>()

/** Creates the lower bound of a queue, before which no row waits or is claimed when it begins to apply. */
export function lowerBoundOf(
  { db: { kysely }, clock }: { db: { kysely: Kysely<DB> }; clock: { now(): Date } },
  queue: Claimable | Queue,
): LowerBound {
  const bound = createLowerBound(clock, () => earliestOf(kysely, queue))
  const bounds = boundsOf.get(kysely) ?? new Set()
  boundsOf.set(kysely, bounds.add(bound))
  return bound
}

/** Ends the lower bounds of all queues: rows that were claimed have been released, or the database is another one. */
export function endLowerBounds(kysely: Kysely<DB>): void {
  for (const bound of boundsOf.get(kysely) ?? []) bound.end()
}
