import type { Context } from '../context.ts'
import { makeComingDays } from '../events/sweep-days.sql.ts'
import type { WorkingDuty } from './loop.ts'

export type ProcessAllDeps = {
  workers: readonly WorkingDuty[]
  /** The names of workers that somebody has woken; emptied here. */
  woken: Set<string>
}

/**
 * Returns a function that runs the workers until none of them finds anything due. For tests, which start no
 * daemon and move the clock: partitions of a new day are made first, as the sweep of a daemon would have long before.
 */
export function createProcessAll(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { workers, woken }: ProcessAllDeps,
): () => Promise<void> {
  let partitionsOf = ''
  return async () => {
    const now = clock.now()
    const day = now.toISOString().slice(0, 10)
    if (day !== partitionsOf) await makeComingDays(db.kysely, now)
    partitionsOf = day
    await runUntilIdle(workers, woken)
  }
}

/** Runs all workers once, then those that had work and those that were woken meanwhile, until there are none. */
export async function runUntilIdle(
  workers: readonly WorkingDuty[],
  woken = new Set<string>(),
): Promise<void> {
  const noteBusy = () => {
    for (const worker of workers) if (worker.inFlight() > 0) woken.add(worker.name)
  }
  for (let next = workers; next.length > 0;) {
    woken.clear()
    noteBusy()
    await Promise.all(
      next.map(async (worker) => {
        if (await worker.work()) woken.add(worker.name)
      }),
    )
    noteBusy()
    await Promise.all(workers.map((worker) => worker.drain()))
    noteBusy()
    next = workers.filter(({ name }) => woken.has(name))
  }
}
