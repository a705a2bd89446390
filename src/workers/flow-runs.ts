/**
 * The worker that advances due runs: queued, answered, timed out, or left by a dead process. It also ends runs of
 * deleted flows.
 */
import type { Context } from '../infra/context.ts'
import type { RunDispatcher } from '../infra/database/after-commit.ts'
import { endRunsOfDeletedFlows } from '../modules/flows/runs/end-runs-of-deleted.sql.ts'
import { RUN_QUEUE, type ClaimedRun } from '../modules/flows/runs/run-queue.ts'
import type { ReadVersion } from '../modules/flows/design/load-version.ts'
import type { MakeCall, StepCallResult } from '../modules/flows/runs/make-step-call.ts'
import { createRunJob, type CallOfAdvance } from '../modules/flows/runs/run-job.ts'
import type { ResumableRun } from '../modules/messaging/record-send-outcomes.sql.ts'
import type { ClaimForChannel, ClaimedMessage } from '../modules/messaging/queue-message.ts'
import { RUN_LIMITS } from '../core/limits/flows.ts'
import { createEffectJobsWorker } from './effect-jobs.ts'
import type { ConcurrentWorker } from './worker-loop.ts'
import { RUN_SLOTS } from './slots.ts'
import { createRunBatcher } from './run-batcher.ts'
import { createRunDispatcher } from './run-dispatcher.ts'
import type { WorkDeps } from './worker.ts'

/** The worker of runs, with the dispatcher of those that this process makes due. */
export type FlowRunsWorker = ConcurrentWorker & {
  /** Dispatches runs that a transaction of this process has made due, after its commit. */
  dispatcher: RunDispatcher
  /** Advances a run that is already claimed for this process. */
  takeOn(run: ResumableRun): void
}

/** Creates the worker that advances due runs of flows. */
export function createFlowRunsWorker(context: Context, deps: Deps): FlowRunsWorker {
  const { readVersion, publicUrl, eagerClaimFor, makeCall } = deps
  const advance = createRunBatcher({ ...context, readVersion, publicUrl, eagerClaimFor })
  let hasRunsToEnd = false

  const worker = createEffectJobsWorker<ClaimedRun | ResumableRun, CallOfAdvance, StepCallResult>(
    context,
    {
      name: 'run-flows',
      queue: RUN_QUEUE,
      places: RUN_SLOTS,
      everyMs: RUN_LIMITS.claimEveryMs,
      begin(run, stopping) {
        eager.count(run.accountId, 1)
        return {
          ...createRunJob({ ...context, advance, makeCall, stopping }, run),
          onEnd: () => eager.count(run.accountId, -1),
        }
      },
    },
    deps,
    {
      free: (places) => places - eager.promised(),
      async before(now, isTimeForLeases) {
        if (isTimeForLeases || hasRunsToEnd)
          hasRunsToEnd = await endRunsOfDeletedFlows(context.db, now)
        return hasRunsToEnd
      },
    },
  )

  const eager = createRunDispatcher({
    claimId: deps.claimId,
    free: worker.places.free,
    isLeft: (accountId) => worker.isLeft() || worker.places.accountsFull().includes(accountId),
    takeOn: worker.takeOn,
  })

  return {
    ...worker,
    dispatcher: eager.dispatcher,
    halt() {
      worker.halt()
      eager.halt()
    },
  }
}

type Deps = WorkDeps & {
  readVersion: ReadVersion
  publicUrl(): string
  eagerClaimFor: ClaimForChannel
  dispatchMessages(messages: readonly ClaimedMessage[]): void
  makeCall: MakeCall
}
