/**
 * Ends the pause after a restore: the operator decides about the runs that were active when the backup was made
 * (docs/decisions/0035).
 */
import { sql, type Kysely } from 'kysely'
import { pauseRestoredBroadcasts } from '../../src/modules/broadcasts/pause-restored.ts'
import type { Context } from '../../src/infra/context.ts'
import { resumeSending, sendingPausedSince } from '../../src/workers/pause-sending.ts'
import type { DB } from '../../src/infra/database/tables.ts'
import { skipRestoredNotices } from '../../src/modules/appointments/plan-notices.sql.ts'
import { giveUpRestoredMails } from '../../src/modules/notices/mail-queue.sql.ts'
import { skipRestoredReminders } from '../../src/modules/flows/runs/due-reminders.sql.ts'
import { failRestoredRuns } from '../../src/modules/flows/runs/fail-restored-runs.ts'
import { abandonRestoredSends } from '../../src/modules/messaging/abandon-sends.ts'
import { onDatabase, type Setting } from './command.ts'

/** The command that resumes sending, with the active runs ended or continued. */
export const resume = onDatabase('resume end-runs|go-on', runResume)

async function runResume(context: Context, words: string[], { print }: Setting): Promise<void> {
  const { db, clock } = context
  const [choice] = words
  const since = await sendingPausedSince(db.kysely)
  if (since === null) {
    print('Sending is not on hold, so there is nothing to resume.')
    return
  }
  if (words.length !== 1 || (choice !== 'end-runs' && choice !== 'go-on')) {
    throw new Error(await describeHeld(db.kysely))
  }
  if (choice === 'end-runs') {
    const ended = await failRestoredRuns(context, since, (count) => print(`${count} ended…`))
    print(`${ended} runs ended as failed. Their merchants get flow.failed events.`)
    const paused = await pauseRestoredBroadcasts(context)
    if (paused > 0) print(`${paused} broadcasts paused. The dashboard shows why.`)
    const given = await abandonRestoredSends(db.kysely, { now: clock.now(), before: since })
    if (given > 0) print(`${given} other messages not sent. The inbox shows why.`)
    const skipped = await skipRestoredReminders(db.kysely, since)
    if (skipped > 0) print(`${skipped} reminders skipped. Their appointments show why.`)
    const unnotified = await skipRestoredNotices(db.kysely, since)
    if (unnotified > 0)
      print(`${unnotified} customers not notified about appointments. Their appointments show why.`)
    const unmailed = await giveUpRestoredMails(db.kysely, since)
    if (unmailed > 0) print(`${unmailed} notifications not emailed. They are in the dashboard.`)
  }
  await resumeSending(db.kysely, clock.now())
  print('Sending has resumed. Hooks are still paused: run "resume-hooks" to accept requests again.')
}

type Held = {
  queued: number
  running: number
  waiting: number
  pending: number
  jobs: number
  broadcasts: number
  messages: number
  reminders: number
}

/** Describes what would be sent if sending resumed, and the operator's choices. */
export async function describeHeld(db: Kysely<DB>): Promise<string> {
  const { rows } = await sql<Held>`
    select count(*) filter (where status = 'queued')::int as queued,
      count(*) filter (where status = 'running')::int as running,
      count(*) filter (where status = 'waiting')::int as waiting,
      (select count(*)::int from delivery_queue where queue <> 'held') as pending,
      (select count(*)::int from resend_job where state = 'running') as jobs,
      (select count(*)::int from broadcast
        where state in ('scheduled', 'preparing', 'sending')) as broadcasts,
      (select count(*)::int from message
        where (due_at is not null and claim_id is null or claim_id is not null)
          and status in ('queued', 'failed') and run_id is null and broadcast_id is null) as messages,
      (select count(*)::int from reminder where state = 'pending' and due_at <= now()) as reminders
    from flow_run where ended_at is null
  `.execute(db)
  const { queued, running, waiting, pending, jobs, broadcasts, messages, reminders } = rows[0]!
  return `Hooks are paused and nothing is sent until you decide how to continue. In progress at that time:

  runs          ${queued} queued, ${running} running, ${waiting} waiting
  deliveries    ${pending} pending: sent again with the same event ids, so receivers can ignore duplicates
  resend jobs   ${jobs} running
  broadcasts    ${broadcasts} in progress or scheduled: unknown who has received one since
  messages      ${messages} others, from staff and the assistant
  reminders     ${reminders} for appointments, already due

If the service kept running after the backup was made, or past what this database holds, these runs continued.
Resuming them here would send and call a second time. End them instead: each merchant gets flow.failed,
broadcasts are paused, and due messages and reminders are not sent:

  npm run operator -- resume end-runs

Only if nothing has run since the backup, such as when moving the service, resume them:

  npm run operator -- resume go-on`
}
