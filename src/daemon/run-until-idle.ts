import type { WorkingDuty } from './loop.ts'

/** Runs the workers until none of them finds anything due. For tests, which start no daemon. */
export async function runUntilIdle(workers: readonly WorkingDuty[]): Promise<void> {
  const isUnderWay = () => workers.some((worker) => worker.inFlight() > 0)
  for (let isBusy = true; isBusy;) {
    // Work that ends while the workers look may leave more to a worker that has looked already.
    const wasUnderWay = isUnderWay()
    const worked = await Promise.all(workers.map((worker) => worker.work()))
    isBusy = wasUnderWay || isUnderWay() || worked.some(Boolean)
    await Promise.all(workers.map((worker) => worker.drain()))
  }
}
