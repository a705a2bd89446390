import type { Context } from '../infra/context.ts'
import { createComingPartitions } from '../modules/events/sweep-partitions.sql.ts'
import type { ConcurrentWorker } from './worker-loop.ts'

/** The workers that `processAll` runs. */
export type ProcessAllDeps = {
  workers: readonly ConcurrentWorker[]
  /** The names of workers that were notified; emptied here. */
  woken: Set<string>
}

/**
 * Returns a function that runs the workers until none of them finds due work, and returns whether any had work. It
 * serves tests, which start no daemon and move the clock. While the clock is unchanged, only notified workers run, so
 * that a test fails when a notification is missing. Partitions of a new day are created first, as the sweep does.
 */
export function createProcessAll(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { workers, woken }: ProcessAllDeps,
): () => Promise<boolean> {
  let partitionsOf = ''
  let lastMs = -Infinity
  return async () => {
    const now = clock.now()
    const day = now.toISOString().slice(0, 10)
    if (day !== partitionsOf) await createComingPartitions(db.kysely, now)
    partitionsOf = day
    const isLater = now.getTime() !== lastMs
    lastMs = now.getTime()
    return runUntilIdle(workers, woken, isLater)
  }
}

/**
 * Runs workers again and again until none of them has work left; only notified ones if `isLookingAtAll` is false.
 * Returns whether any had work. They run one after the other, so that none skips a row that another has locked.
 */
export async function runUntilIdle(
  workers: readonly ConcurrentWorker[],
  woken = new Set<string>(),
  isLookingAtAll = true,
): Promise<boolean> {
  let hasWorked = false
  const noteBusy = () => {
    for (const worker of workers) if (worker.inFlight() > 0) woken.add(worker.name)
  }
  const takeWoken = () => {
    noteBusy()
    const next = workers.filter(({ name }) => woken.has(name))
    woken.clear()
    return next
  }
  if (isLookingAtAll) woken.clear()
  for (let next = isLookingAtAll ? workers : takeWoken(); next.length > 0; next = takeWoken()) {
    if (next !== workers) hasWorked = true
    for (const worker of next) {
      const before = worker.inFlight()
      if (await worker.work()) woken.add(worker.name)
      if (worker.inFlight() > before) {
        woken.add(worker.name)
        await worker.drain()
      }
    }
    noteBusy()
    await Promise.all(workers.map((worker) => worker.drain()))
  }
  return hasWorked
}
