/**
 * The duty that takes due runs on: queued, answered, timed out, or left behind by a dead worker; and
 * that ends what deleted flows leave.
 */
import type { Context } from '../context.ts'
import { claimRuns, nextRunDue, releaseExpiredRuns } from '../flows/claim-runs.sql.ts'
import { endRunsOfDeletedFlows } from '../flows/end-runs-of-deleted.sql.ts'
import type { ReadVersion } from '../flows/load-version.ts'
import type { MakeCall } from '../flows/make-step-call.ts'
import { runFlow, type SendMessage } from '../flows/run-flow.ts'
import { LEASES_EVERY_MS, type WorkingDuty } from './loop.ts'
import { createRunPlaces } from './run-places.ts'

export function createRunFlowsDuty(context: Context, deps: Deps): WorkingDuty {
  const { db, clock, ids, log } = context
  const underWay = new Set<Promise<void>>()
  const places = createRunPlaces(() => deps.onProgress())
  let leasesLookedAtNext = new Date(0)
  let hasRunsToEnd = false

  async function work(): Promise<boolean> {
    const free = places.free()
    if (free === 0) return false
    const now = clock.now()
    if (now >= leasesLookedAtNext || hasRunsToEnd) {
      hasRunsToEnd = await endRunsOfDeletedFlows(db, now)
    }
    if (now >= leasesLookedAtNext) {
      leasesLookedAtNext = new Date(now.getTime() + LEASES_EVERY_MS)
      const expired = await releaseExpiredRuns(db.kysely, now)
      if (expired > 0) log.warn({ expired }, 'runs whose lease had ended are due again')
    }
    const without = places.companiesFull()
    const claimId = deps.claimId()
    const claimed = await claimRuns(db.kysely, { claimId, now, limit: free, without })
    const { whileCalling } = places
    for (const run of claimed) {
      places.take()
      const turn = runFlow({ db, clock, ids, ...deps, whileCalling }, run)
        .catch((error: unknown) => {
          // The lease ends and the run is taken up again where it stood.
          log.error({ err: error, runId: run.id }, 'a run could not be taken on')
        })
        .finally(() => {
          underWay.delete(turn)
          places.giveBack()
        })
      underWay.add(turn)
    }
    return claimed.length > 0 || hasRunsToEnd
  }

  return {
    name: 'run-flows',
    work,
    async nextDue() {
      const due = await nextRunDue(db.kysely)
      return due && due <= clock.now() && underWay.size > 0 ? null : due
    },
    inFlight: () => underWay.size,
    async drain() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

type Deps = {
  readVersion: ReadVersion
  send: SendMessage
  makeCall: MakeCall
  claimId(): string
  /** Called when a run rests: there may be events to deliver, and a place is free. */
  onProgress(): void
}
