/**
 * The duty that takes due runs on: queued, answered, timed out, or left behind by a dead worker; and
 * that ends what deleted flows leave.
 */
import type { Context } from '../context.ts'
import type { RunHandOver } from '../database/commit-notes.ts'
import { endRunsOfDeletedFlows } from '../flows/runs/end-runs-of-deleted.sql.ts'
import { RUN_QUEUE, type ClaimedRun } from '../flows/runs/run-queue.ts'
import type { ReadVersion } from '../flows/design/load-version.ts'
import type { MakeCall } from '../flows/runs/make-step-call.ts'
import { runFlow } from '../flows/runs/run-flow.ts'
import type { ToldRun } from '../messaging/settle-sends.sql.ts'
import type { ClaimForChannel, MessageInHand } from '../messaging/queue-message.ts'
import { RUN_LIMITS } from '../limits/flows.ts'
import type { WorkingDuty } from './loop.ts'
import { PLACES_OF_RUNS } from './places.ts'
import { createTurnDesk } from './turn-desk.ts'
import { createRunHandOver } from './run-hand-over.ts'
import { createWorker, type WorkDeps } from './worker.ts'

export type RunFlowsDuty = WorkingDuty & {
  /** Takes on, after its commit, what a transaction of this process has made due. */
  handOver: RunHandOver
  /** Takes on a run that is claimed for this process already. */
  takeOn(run: ToldRun): void
}

export function createRunFlowsDuty(context: Context, deps: Deps): RunFlowsDuty {
  const { db, clock, ids, log } = context
  const { readVersion, publicUrl, claimFor, handOver, makeCall } = deps
  const takeTurn = createTurnDesk({ db, clock, ids, log, readVersion, publicUrl, claimFor })
  let hasRunsToEnd = false

  const worker = createWorker<ClaimedRun | ToldRun>(
    context,
    {
      name: 'run-flows',
      queue: RUN_QUEUE,
      places: PLACES_OF_RUNS,
      everyMs: RUN_LIMITS.claimEveryMs,
      wakesAtEnd: false,
      async take(run, { stopping }) {
        handedOver.count(run.accountId, 1)
        const { whileCalling } = worker.places
        try {
          const running = { db, clock, takeTurn, handOver, makeCall, whileCalling, stopping }
          await runFlow(running, run)
        } finally {
          handedOver.count(run.accountId, -1)
        }
      },
      // The lease ends and the run is taken up again where it stood.
      onFault: (error, { id }) =>
        log.error({ err: error, runId: id }, 'a run could not be taken on'),
    },
    deps,
    {
      free: (places) => places - handedOver.promised(),
      async before(now, isTimeForLeases) {
        if (isTimeForLeases || hasRunsToEnd) hasRunsToEnd = await endRunsOfDeletedFlows(db, now)
        return hasRunsToEnd
      },
    },
  )

  const handedOver = createRunHandOver({
    claimId: deps.claimId,
    free: worker.places.free,
    isLeft: (accountId) => worker.isLeft() || worker.places.accountsFull().includes(accountId),
    takeOn: worker.takeOn,
  })

  return {
    ...worker,
    handOver: handedOver.handOver,
    halt() {
      worker.halt()
      handedOver.halt()
    },
  }
}

type Deps = WorkDeps & {
  readVersion: ReadVersion
  publicUrl(): string
  claimFor: ClaimForChannel
  handOver(messages: readonly MessageInHand[]): void
  makeCall: MakeCall
}
