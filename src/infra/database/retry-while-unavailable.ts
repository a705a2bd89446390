import { isDatabaseUnavailable } from './is-database-unavailable.ts'
import { isLockTimeout } from './transaction.ts'

/** Pauses before the retries; the last one repeats. */
const PAUSES_MS = [100, 300, 1_000] as const
/** Longest retry. A failover takes half a minute; after a minute the lease of claimed work has ended. */
const PATIENCE_MS = 60_000
/** Longest retry after a stop signal, or for work without one. */
const PATIENCE_AT_STOP_MS = 15_000

type Options = {
  /** Returns whether another error is retried as well; none is by default. */
  isWorthIt?(error: unknown): boolean
  /** Aborted when the process stops. Without a signal, retries end as early as after a stop. */
  stopping?: AbortSignal
}

/**
 * Returns the result of `work`, and retries it while the database is unavailable. It is used where a side effect has
 * already happened and its result would otherwise be lost. Other errors are rethrown.
 *
 * @param work receives whether it is a retry. The attempt before may have been committed although its answer was
 * lost.
 */
export async function retryWhileUnavailable<Value>(
  work: (isAgain: boolean) => Promise<Value>,
  { isWorthIt = () => false, stopping }: Options = {},
): Promise<Value> {
  const begunAtMs = performance.now()
  for (let tries = 1; ; tries += 1) {
    try {
      return await work(tries > 1)
    } catch (error) {
      const patienceMs = stopping?.aborted === false ? PATIENCE_MS : PATIENCE_AT_STOP_MS
      const isOver = performance.now() - begunAtMs >= patienceMs
      if (isOver || !(isDatabaseUnavailable(error) || isWorthIt(error))) throw error
      const pauseMs = PAUSES_MS[Math.min(tries, PAUSES_MS.length) - 1]!
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

/** Returns a condition for `isWorthIt` by which lock timeouts are retried as well, for `ms` from now on. */
export function lockTimeoutWithin(ms: number): (error: unknown) => boolean {
  const untilMs = performance.now() + ms
  return (error) => isLockTimeout(error) && performance.now() < untilMs
}
