/**
 * The loop that all workers share: work until nothing is due, then sleep until a notification, the next due time, or
 * the safety poll. Errors never end a loop: it backs off exponentially from 0.1 s to 30 s with jitter, to 1 s while the
 * database is away, and logs the first of a series. A notification does not shorten the back-off; the pass after it finds the work.
 */
import type { Logger } from 'pino'
import type { Clock } from '../core/clock.ts'
import { isDatabaseUnavailable } from '../infra/database/is-database-unavailable.ts'

/** A background worker, as its loop sees it. */
export type Worker = {
  name: string
  /** Minimum interval between two calls of `work`. */
  everyMs?: number
  /** Does all due work. Returns true when there may be more immediately. */
  work(): Promise<boolean>
  /** Returns the time when the next row is due; null when none waits. */
  nextDue(): Promise<Date | null>
  /** Starts no more work, and releases claimed rows that were not begun. */
  halt?(): void
}

/** A worker that processes several rows concurrently. */
export type ConcurrentWorker = Worker & {
  /** Returns the number of rows in progress. */
  inFlight(): number
  /** Resolves when no row is in progress. */
  drain(): Promise<void>
}

/** Returns a worker whose work ends within each call of `work`, so that nothing stays in flight. */
export const withoutConcurrency = (
  worker: Omit<ConcurrentWorker, 'inFlight' | 'drain'>,
): ConcurrentWorker => ({
  ...worker,
  inFlight: () => 0,
  drain: () => Promise.resolve(),
})

/**
 * Resolves when no worker has work in progress. What one worker ends may begin work of another: a run hands over its
 * messages, and a sent message hands back its run.
 */
export async function drainAll(workers: readonly ConcurrentWorker[]): Promise<void> {
  do await Promise.all(workers.map((worker) => worker.drain()))
  while (workers.some((worker) => worker.inFlight() > 0))
}

/** The running loop of a worker. */
export type Loop = {
  /** Resolves when the loop has looked for due work for the first time, whether or not it succeeded. */
  hasLooked: Promise<void>
  /** Wakes the loop: there may be due work. */
  notify(): void
  /** Ends the loop after the work in progress. */
  stop(): Promise<void>
}

/** Interval of the safety poll, which finds due rows without a notification. An idle worker runs only this query. */
export const SAFETY_POLL_MS = 10_000
/** Polls after which a worker runs even without due rows. */
const POLLS_UNTIL_WORK = 6
/** Notifications within this time share one call of `work`: under load a claim takes a batch. */
const COALESCE_MS = 3
/** Delay when a due row is claimed by another node. */
const BUSY_ELSEWHERE_MS = 20
const BACKOFF_MIN_MS = 100
const BACKOFF_MAX_MS = 30_000
/** The longest wait while the database is away: work continues soon after it is back. */
const DATABASE_BACKOFF_MAX_MS = 1_000

/** Starts the loop of a worker, which works until nothing is due and then sleeps. */
export function startLoop(worker: Worker, { clock, log }: { clock: Clock; log: Logger }): Loop {
  const stopping = new AbortController()
  let isWoken = true
  let rouse: (() => void) | null = null
  let failures = 0
  const firstLook = Promise.withResolvers<void>()

  function sleep(ms: number): Promise<void> {
    if (isWoken || stopping.signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms)
      rouse = done
      function done() {
        clearTimeout(timer)
        rouse = null
        resolve()
      }
    })
  }

  function endFailures(): void {
    if (failures > 0) log.info({ worker: worker.name, failures }, 'worker works again')
    failures = 0
  }

  async function runPass(): Promise<void> {
    const begunAtMs = performance.now()
    isWoken = false
    const hasMore = await worker.work()
    if (hasMore || isWoken) {
      firstLook.resolve()
      endFailures()
      await pause(COALESCE_MS)
    } else await rest()
    const tooSoonMs = begunAtMs + (worker.everyMs ?? 0) - performance.now()
    if (tooSoonMs > 0 && !stopping.signal.aborted) await pause(tooSoonMs)
  }

  /** Sleeps until a notification, or until a row is due. */
  async function rest(): Promise<void> {
    for (let polls = 1; polls <= POLLS_UNTIL_WORK; polls += 1) {
      const due = await worker.nextDue()
      firstLook.resolve()
      endFailures()
      const untilDueMs = due ? due.getTime() - clock.now().getTime() : Infinity
      await sleep(Math.min(Math.max(untilDueMs, BUSY_ELSEWHERE_MS), SAFETY_POLL_MS))
      if (isWoken || stopping.signal.aborted || untilDueMs <= SAFETY_POLL_MS) return
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await runPass()
      } catch (error) {
        firstLook.resolve()
        failures += 1
        if (failures === 1)
          log.error({ worker: worker.name, err: error }, 'worker failed: retrying')
        const max = isDatabaseUnavailable(error) ? DATABASE_BACKOFF_MAX_MS : BACKOFF_MAX_MS
        const ceiling = Math.min(BACKOFF_MIN_MS * 2 ** Math.min(failures - 1, 10), max)
        isWoken = false
        await sleep(ceiling * (0.5 + Math.random() / 2))
      }
    }
  }

  const ended = run()
  return {
    hasLooked: firstLook.promise,
    notify() {
      isWoken = true
      if (failures === 0) rouse?.()
    },
    async stop() {
      stopping.abort()
      worker.halt?.()
      rouse?.()
      await ended
      firstLook.resolve()
    },
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
