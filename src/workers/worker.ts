/**
 * The worker of all queues whose rows are claimed from the table. It claims as many due rows as it has free slots,
 * processes each, and releases expired leases. At a stop it releases rows that it has not begun.
 */
import type { Context } from '../infra/context.ts'
import { claim } from '../infra/database/queues/claim.sql.ts'
import { claiming } from '../infra/database/queues/claiming.ts'
import { lowerBoundOf } from '../infra/database/queues/lower-bound.ts'
import { nextDue } from '../infra/database/queues/next-due.sql.ts'
import { FIRST_ID, leaseEnd, type RowClaim, type Queue } from '../infra/database/queues/queue.ts'
import { releaseRows } from '../infra/database/queues/release.sql.ts'
import type { ConcurrentWorker } from './worker-loop.ts'
import { createLookAtLeases } from './release-expired-leases.ts'
import { createSlots, type SlotLimits, type Slots } from './slots.ts'
import { createUnderWay } from './in-flight.ts'

/** A claimed row with its account. */
export type ClaimedRow = RowClaim & { accountId: string }

/** The queue of a worker, and how it processes a row. */
export type QueueWork<Row extends ClaimedRow> = {
  /** The name of the worker. */
  name: string
  queue: Queue<Row>
  /** The slots of the worker. */
  places: SlotLimits
  /** Maximum number of rows of one claim; by default the number of free slots. */
  maxPerClaim?: number
  /** Minimum interval between two claims. */
  everyMs?: number
  /**
   * Processes one row until its outcome is recorded. After an error the row is due again when its lease ends, or once
   * the unavailable database is back. `stopping` aborts when the process ends. `underWay` is the number of other rows in
   * progress.
   */
  take(row: Row, how: { stopping: AbortSignal; underWay: number }): Promise<void>
  /** Logs an error of `take`. */
  onError(error: unknown, row: Row): void
  /** True to wake the loop whenever a row ends, false to wake it only when a row waits for a slot. */
  wakesAtEnd: boolean
}

/** The dependencies of every worker of a queue. */
export type WorkDeps = {
  /** Returns the id of a new claim. */
  claimId(): string
  /** Runs when there may be rows to claim. */
  onProgress(): void
}

/** The worker of a queue. */
export type QueueWorker<Row> = ConcurrentWorker & {
  halt(): void
  /** Processes a row that is already claimed for this process. */
  takeOn(row: Row): void
  places: Slots
  /** Returns whether due rows were left without a slot. */
  isLeft(): boolean
}

/** Additional work of a worker. */
export type Aside = {
  /** Returns how many of the free slots a claim may use. */
  free?(places: number): number
  /** Runs before a claim. Returns whether there is more of it to do. */
  before?(now: Date, isTimeForLeases: boolean): Promise<boolean>
}

/** Creates the worker of a queue: it claims due rows and processes each of them. */
export function createWorker<Row extends ClaimedRow>(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  { queue, ...work }: QueueWork<Row>,
  deps: WorkDeps,
  aside: Aside = {},
): QueueWorker<Row> {
  const stopping = new AbortController()
  const lowerBound = lowerBoundOf({ db, clock }, queue)
  const lookAtLeases = createLookAtLeases({ db, log }, queue, lowerBound)
  const places = createSlots(work.places, () => {
    if (work.wakesAtEnd || isLeft) deps.onProgress()
  })
  const underWay = createUnderWay<Row>(places.release)
  let isLeft = false
  let after = FIRST_ID
  /** The next due time by the last claim; undefined when it has to be queried. */
  let dueAt: Date | null | undefined

  function takeOn(row: Row): void {
    places.take()
    const how = { stopping: stopping.signal, underWay: underWay.count() }
    const taken = claiming(db, row, () => work.take(row, how)).catch((error: unknown) =>
      work.onError(error, row),
    )
    underWay.follow(taken, row)
  }

  async function runPass(): Promise<boolean> {
    dueAt = undefined
    if (stopping.signal.aborted) return false
    const free = Math.max(0, aside.free?.(places.free()) ?? places.free())
    isLeft = free === 0
    if (isLeft) return false
    const now = clock.now()
    const isTimeForLeases = (await lookAtLeases(now)) !== null
    const hasMore = (await aside.before?.(now, isTimeForLeases)) ?? false
    return (await claimRows(now, Math.min(free, work.maxPerClaim ?? free))) || hasMore
  }

  async function claimRows(now: Date, limit: number): Promise<boolean> {
    const without = places.accountsFull()
    const claimedByAccount = countByAccount(underWay.all())
    const claimId = deps.claimId()
    const request = { claimId, now, limit, without, after, claimedByAccount }
    const found = await claiming(db, { claimId }, () =>
      lowerBound.read((since) => claim(db.kysely, queue, { ...request, since })),
    )
    after = found.next ?? FIRST_ID
    if (stopping.signal.aborted) {
      await releaseRows(db.kysely, queue, found.rows, now)
      return false
    }
    for (const row of found.rows) takeOn(row)
    isLeft = found.rows.length === limit || without.length > 0
    if (found.rows.length === 0) dueAt = found.dueAt
    else dueAt = earlierOf(found.dueAt, leaseEnd(queue, now))
    const isDue = found.rows.length > 0 && dueAt !== null && dueAt <= now
    return found.next !== null || found.rows.length === limit || isDue
  }

  return {
    name: work.name,
    ...(work.everyMs !== undefined && { everyMs: work.everyMs }),
    work: runPass,
    takeOn,
    places,
    isLeft: () => isLeft,
    async nextDue() {
      const readNextDue = () => lowerBound.read((since) => nextDue(db.kysely, queue, since))
      const due = dueAt === undefined ? await readNextDue() : dueAt
      dueAt = undefined
      // A due row that was not found is locked or has no slot: the end of another row wakes the loop.
      isLeft ||= due !== null && due <= clock.now()
      return isLeft && underWay.count() > 0 ? null : due
    },
    inFlight: underWay.count,
    halt: () => stopping.abort(),
    drain: underWay.drain,
  }
}

const earlierOf = (one: Date | null, other: Date): Date => (one && one < other ? one : other)

function countByAccount(rows: readonly ClaimedRow[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { accountId } of rows) counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
  return counts
}
