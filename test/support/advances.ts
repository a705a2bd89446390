/** Advances of runs, made when the test says so: the daemon makes them as soon as it can. */
import { createVersionReader } from '../../src/modules/flows/design/load-version.ts'
import { createRunBatcher } from '../../src/workers/run-batcher.ts'
import { runEffectJob } from '../../src/workers/effect-jobs.ts'
import { createRunJob } from '../../src/modules/flows/runs/run-job.ts'
import { RUN_QUEUE } from '../../src/modules/flows/runs/run-queue.ts'
import type {
  AdvanceDeps,
  AdvanceResult,
  RunToAdvance,
} from '../../src/modules/flows/runs/advance-runs.ts'
import { advanceRuns } from '../../src/modules/flows/runs/advance-runs.ts'
import { claimFrom } from './queues.ts'
import type { MakeCall } from '../../src/modules/flows/runs/make-step-call.ts'
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

/**
 * Returns a function that executes a claimed run as the worker does, until it is idle or deferred. The messages that
 * it queues stay in the table.
 */
export function createRunExecutor(
  world: Served,
  { makeCall = noCall, ...more }: Partial<AdvanceDeps & { makeCall: MakeCall }> = {},
) {
  const { context } = world.service
  const advance = createRunBatcher({ ...advanceDeps(world), ...more })
  const { signal: stopping } = new AbortController()
  const running = {
    ...context,
    queue: RUN_QUEUE,
    stopping,
    withoutSlot: <Value>(_: string, work: () => Promise<Value>) => work(),
    dispatchMessages() {},
    onProgress() {},
  }
  return ({ run }: RunToAdvance): Promise<void> => {
    const job = createRunJob({ ...context, advance, makeCall, stopping }, run)
    return runEffectJob(running, run, { ...job, onEnd() {} })
  }
}

const noCall: MakeCall = () => Promise.reject(new Error('no flow here calls'))
