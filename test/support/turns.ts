/** Turns of runs, taken when the test says so: what the daemon does as soon as it can. */
import { createVersionReader } from '../../src/modules/flows/design/load-version.ts'
import { RUN_QUEUE } from '../../src/modules/flows/runs/run-queue.ts'
import type { AdvanceResult, RunToAdvance } from '../../src/modules/flows/runs/advance-runs.ts'
import { advanceRuns } from '../../src/modules/flows/runs/advance-runs.ts'
import { claimFrom } from './queues.ts'
import type { World } from './test-service.ts'

type Served = Pick<World, 'service'>

/** What turns are taken with. What they queue stays in the table. */
export function turnDeps({ service }: Served) {
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

/** Takes the due runs in hand, as many as `limit`. */
export async function claimDue(world: Served, limit = 200): Promise<RunToAdvance[]> {
  const runs = await claimFrom(world, RUN_QUEUE, { limit })
  return runs.map((run) => ({ run, called: null }))
}

/** Takes the next turn of every run that is due. Nothing that they queue is sent yet. */
export const takeDueTurns = async (world: Served): Promise<AdvanceResult[]> =>
  advanceRuns(turnDeps(world), await claimDue(world))
