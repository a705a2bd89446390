/**
 * The duty that keeps nothing longer than the reference says. Once an hour it goes over all that
 * has an age, in statements of at most 1,000 rows, each a transaction of its own: no sweep holds up
 * other work, however much there is to delete. What one turn leaves is taken on a few seconds later.
 *
 * Two nodes that sweep together share the rows.
 *
 * Spec: Retention › What is kept; Hooks › Idempotency.
 */
import type { Kysely } from 'kysely'
import { deleteOldMinuteCounts, deleteOldNotices } from '../accounts/sweep-notices.sql.ts'
import {
  deleteEndedInvitations,
  deleteEndedSessions,
  deleteOldDevices,
  deleteOldSignInFailures,
} from '../accounts/sweep-sign-in.sql.ts'
import {
  deleteOldActionDays,
  deleteOldActionReplies,
  deleteOldProposals,
} from '../connections/sweep-actions.sql.ts'
import { deleteOldCallDays, deleteOldCalls } from '../connections/sweep-calls.sql.ts'
import type { Context } from '../context.ts'
import type { DB } from '../database/tables.ts'
import { deleteOldRuns, deleteOldSteps } from '../flows/sweep-runs.sql.ts'
import { deleteOldShapes } from '../hooks/sweep-shapes.sql.ts'
import { SWEEP } from '../limits.ts'
import {
  deleteOldTemplateDays,
  deleteOldTemplateSends,
} from '../messaging/sweep-template-records.sql.ts'
import { deleteOldHours, dropOldDays, makeComingDays } from '../webhooks/sweep-days.sql.ts'
import {
  deleteOldDeliveries,
  deleteOldEvents,
  expireDeliveries,
} from '../webhooks/sweep-deliveries.sql.ts'
import { deleteOldChanges, deleteOldResendJobs } from '../webhooks/sweep-resend-jobs.sql.ts'
import { deleteRetiredSecrets } from '../webhooks/sweep-secrets.sql.ts'
import type { WorkingDuty } from './loop.ts'

/** Takes at most `most` rows that are too old now. Returns how many it took. */
type Sweep = (db: Kysely<DB>, now: Date, most: number) => Promise<number>

/** In this order: what has expired can go, and an event goes after its deliveries. */
const SWEEPS: Record<string, Sweep> = {
  makeComingDays,
  expireDeliveries,
  deleteOldDeliveries,
  deleteOldEvents,
  dropOldDays,
  deleteOldHours,
  deleteOldResendJobs,
  deleteOldChanges,
  deleteOldSteps,
  deleteOldRuns,
  deleteOldShapes,
  deleteOldCalls,
  deleteOldCallDays,
  deleteOldProposals,
  deleteOldActionDays,
  deleteOldActionReplies,
  deleteOldTemplateSends,
  deleteOldTemplateDays,
  deleteEndedSessions,
  deleteEndedInvitations,
  deleteOldDevices,
  deleteOldSignInFailures,
  deleteRetiredSecrets,
  deleteOldNotices,
  deleteOldMinuteCounts,
}

export function createSweepDuty({
  db,
  clock,
  log,
}: Pick<Context, 'db' | 'clock' | 'log'>): WorkingDuty {
  let dueAt = new Date(0)
  let unfinished = Object.keys(SWEEPS)
  let passes = 0

  /** Whether there may be more. What fails is logged, comes again in an hour and stops no other. */
  async function sweep(name: string): Promise<boolean> {
    try {
      const rows = await SWEEPS[name]!(db.kysely, clock.now(), SWEEP.rowsPerStatement)
      if (rows > 0) log.debug({ sweep: name, rows }, 'what was too old is gone')
      return rows >= SWEEP.rowsPerStatement
    } catch (error) {
      log.warn({ err: error, sweep: name }, 'what is too old could not be swept')
      return false
    }
  }

  return {
    name: 'sweep',
    /** One statement of each sweep that is not done: a stop waits for no more than that. */
    async work() {
      const now = clock.now()
      if (now < dueAt) return false
      const full = []
      for (const name of unfinished) if (await sweep(name)) full.push(name)
      passes += 1
      if (full.length > 0 && passes < SWEEP.passesPerTurn) {
        unfinished = full
        return true
      }
      unfinished = Object.keys(SWEEPS)
      passes = 0
      dueAt = new Date(now.getTime() + (full.length > 0 ? SWEEP.againMs : SWEEP.everyMs))
      return false
    },
    nextDue: () => Promise.resolve(dueAt),
    inFlight: () => 0,
    drain: () => Promise.resolve(),
  }
}
