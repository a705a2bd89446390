/**
 * The duty that takes due runs on: queued, answered, timed out, or left behind by a dead worker; and
 * that ends what deleted flows leave.
 */
import type { Context } from '../context.ts'
import type { RunHandOver } from '../database/commit-notes.ts'
import {
  claimRuns,
  FIRST_COMPANY,
  nextRunDue,
  releaseExpiredRuns,
  type ClaimedRun,
} from '../flows/runs/claim-runs.sql.ts'
import { endRunsOfDeletedFlows } from '../flows/runs/end-runs-of-deleted.sql.ts'
import type { ReadVersion } from '../flows/design/load-version.ts'
import type { MakeCall } from '../flows/runs/make-step-call.ts'
import { runFlow } from '../flows/runs/run-flow.ts'
import type { ToldRun } from '../messaging/settle-sends.sql.ts'
import type { ClaimForChannel, MessageInHand } from '../messaging/queue-message.ts'
import { RUN_LIMITS } from '../limits/flows.ts'
import { atIntervals, LEASES_EVERY_MS, type WorkingDuty } from './loop.ts'
import { createTurnDesk } from './turn-desk.ts'
import { createRunHandOver } from './run-hand-over.ts'
import { createRunPlaces } from './run-places.ts'

export type RunFlowsDuty = WorkingDuty & {
  /** Takes on, after its commit, what a transaction of this process has made due. */
  handOver: RunHandOver
  /** Takes on a run that is claimed for this process already. */
  takeOn(run: ToldRun): void
}

export function createRunFlowsDuty(context: Context, deps: Deps): RunFlowsDuty {
  const { db, clock, ids, log } = context
  const underWay = new Set<Promise<void>>()
  const { readVersion, publicUrl, claimFor, handOver, makeCall } = deps
  const takeTurn = createTurnDesk({ db, clock, ids, log, readVersion, publicUrl, claimFor })
  /** Something that is due was left for want of a place. */
  let isLeft = false
  let after = FIRST_COMPANY
  const places = createRunPlaces(() => {
    if (isLeft) deps.onProgress()
  })
  const isTimeForLeases = atIntervals(LEASES_EVERY_MS)
  let hasRunsToEnd = false

  async function work(): Promise<boolean> {
    const free = Math.max(0, places.free() - handedOver.promised())
    isLeft = free === 0
    if (isLeft) return false
    const now = clock.now()
    const isTime = isTimeForLeases(now)
    if (isTime || hasRunsToEnd) {
      hasRunsToEnd = await endRunsOfDeletedFlows(db, now)
    }
    if (isTime) {
      const expired = await releaseExpiredRuns(db.kysely, now)
      if (expired > 0) log.warn({ expired }, 'runs whose lease had ended are due again')
    }
    const without = places.accountsFull()
    const claimId = deps.claimId()
    const claimed = await claimRuns(db.kysely, { claimId, now, limit: free, without, after })
    for (const run of claimed.runs) takeOn(run)
    after = claimed.next ?? FIRST_COMPANY
    isLeft = claimed.runs.length === free || without.length > 0
    return claimed.runs.length > 0 || claimed.next !== null || hasRunsToEnd
  }

  const handedOver = createRunHandOver({
    claimId: deps.claimId,
    free: places.free,
    isLeft: (accountId) => isLeft || places.accountsFull().includes(accountId),
    takeOn,
  })

  function takeOn(run: ClaimedRun | ToldRun) {
    places.take()
    handedOver.count(run.accountId, 1)
    const { whileCalling } = places
    const turn = runFlow({ db, clock, takeTurn, handOver, makeCall, whileCalling }, run)
      .catch((error: unknown) => {
        // The lease ends and the run is taken up again where it stood.
        log.error({ err: error, runId: run.id }, 'a run could not be taken on')
      })
      .finally(() => {
        underWay.delete(turn)
        handedOver.count(run.accountId, -1)
        places.giveBack()
      })
    underWay.add(turn)
  }

  return {
    name: 'run-flows',
    everyMs: RUN_LIMITS.claimEveryMs,
    handOver: handedOver.handOver,
    takeOn,
    work,
    async nextDue() {
      const due = await nextRunDue(db.kysely)
      // What is due and was not found is locked, or has no place: the end of another run wakes us.
      isLeft ||= due !== null && due <= clock.now()
      return isLeft && underWay.size > 0 ? null : due
    },
    inFlight: () => underWay.size,
    halt: handedOver.halt,
    async drain() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

type Deps = {
  readVersion: ReadVersion
  publicUrl(): string
  claimFor: ClaimForChannel
  handOver(messages: readonly MessageInHand[]): void
  makeCall: MakeCall
  claimId(): string
  /** Called when a run rests: there may be events to deliver, and a place is free. */
  onProgress(): void
}
