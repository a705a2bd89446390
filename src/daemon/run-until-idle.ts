import type { WorkingDuty } from './loop.ts'

/**
 * Runs the workers until none of them finds anything due: all of them once, then those that had work and those
 * that were woken meanwhile. `woken` holds the names of the latter. For tests, which start no daemon.
 */
export async function runUntilIdle(
  workers: readonly WorkingDuty[],
  woken: Set<string>,
): Promise<void> {
  for (let next = workers; next.length > 0;) {
    woken.clear()
    const noteBusy = () => {
      for (const worker of workers) if (worker.inFlight() > 0) woken.add(worker.name)
    }
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
