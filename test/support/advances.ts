/** Advances of runs, made when the test says so: the daemon makes them as soon as it can. */
import { createVersionReader } from '../../src/modules/flows/design/load-version.ts'
import { RUN_QUEUE } from '../../src/modules/flows/runs/run-queue.ts'
import type { AdvanceResult, RunToAdvance } from '../../src/modules/flows/runs/advance-runs.ts'
import { advanceRuns } from '../../src/modules/flows/runs/advance-runs.ts'
import { claimFrom } from './queues.ts'
import type { World } from './test-service.ts'

type Served = Pick<World, 'service'>

/** Returns the dependencies of an advance. The messages that it queues stay in the table. */
export function advanceDeps({ service }: Served) {
  const { db, clock, ids, log } = service.context
  return {
    db,
    clock,
    ids,
    log,
    readVersion: createVersionReader(),
    eagerClaimFor: (): string | null => null,
    publicUrl: () => 'http://localhost',
  }
}

/** Claims the due runs, at most `limit`. */
export async function claimDue(world: Served, limit = 200): Promise<RunToAdvance[]> {
  const runs = await claimFrom(world, RUN_QUEUE, { limit })
  return runs.map((run) => ({ run, called: null }))
}

/** Advances every run that is due once. None of the messages that they queue is sent yet. */
export const advanceDueRuns = async (world: Served): Promise<AdvanceResult[]> =>
  advanceRuns(advanceDeps(world), await claimDue(world))
