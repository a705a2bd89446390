/**
 * Ends the hold that a restore has left: the operator says what is to become of the runs that were under
 * way when the backup was made (docs/decisions/0035).
 */
import { sql, type Kysely } from 'kysely'
import { pauseRestored } from '../../src/broadcasts/pause-restored.ts'
import type { Context } from '../../src/context.ts'
import { letSendingGo, sendingHeldSince } from '../../src/daemon/hold-sending.ts'
import type { DB } from '../../src/database/tables.ts'
import { skipRestoredNotices } from '../../src/appointments/plan-notices.sql.ts'
import { giveUpRestoredMails } from '../../src/notices/mail-queue.sql.ts'
import { skipRestoredReminders } from '../../src/flows/runs/due-reminders.sql.ts'
import { endRunsLeftOpen } from '../../src/flows/runs/end-runs-left-open.ts'
import { giveUpRestoredSends } from '../../src/messaging/give-up-sends.ts'
import { onDatabase, type Setting } from './command.ts'

export const resume = onDatabase('resume end-runs|go-on', resumeSending)

async function resumeSending(context: Context, words: string[], { print }: Setting): Promise<void> {
  const { db, clock } = context
  const [choice] = words
  const since = await sendingHeldSince(db.kysely)
  if (since === null) {
    print('Nothing is held: there is nothing to resume.')
    return
  }
  if (words.length !== 1 || (choice !== 'end-runs' && choice !== 'go-on')) {
    throw new Error(await describeHeld(db.kysely))
  }
  if (choice === 'end-runs') {
    const ended = await endRunsLeftOpen(context, since, (count) => print(`${count} ended …`))
    print(`${ended} runs were ended as failed; their merchants are told.`)
    const paused = await pauseRestored(context)
    if (paused > 0) print(`${paused} broadcasts are paused: their companies see why.`)
    const given = await giveUpRestoredSends(db.kysely, { now: clock.now(), before: since })
    if (given > 0) print(`${given} other messages are not sent: the inbox says why.`)
    const skipped = await skipRestoredReminders(db.kysely, since)
    if (skipped > 0) print(`${skipped} reminders are skipped: their appointments say why.`)
    const untold = await skipRestoredNotices(db.kysely, since)
    if (untold > 0) print(`${untold} customers are not told of appointments: these say why.`)
    const unmailed = await giveUpRestoredMails(db.kysely, since)
    if (unmailed > 0) print(`${unmailed} notices are not mailed: they stand in the dashboard.`)
  }
  await letSendingGo(db.kysely, clock.now())
  print('Sending goes on. Hooks are still paused: "resume-hooks" lets them in.')
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

/** What would be sent, and what the operator can say. */
export async function describeHeld(db: Kysely<DB>): Promise<string> {
  const { rows } = await sql<Held>`
    select count(*) filter (where status = 'queued')::int as queued,
      count(*) filter (where status = 'running')::int as running,
      count(*) filter (where status = 'waiting')::int as waiting,
      (select count(*)::int from delivery_queue where lane <> 'held') as pending,
      (select count(*)::int from resend_job where state = 'running') as jobs,
      (select count(*)::int from broadcast
        where state in ('scheduled', 'preparing', 'sending')) as broadcasts,
      (select count(*)::int from message
        where (due_at is not null and claim_id is null or claim_id is not null)
          and status in ('queued', 'failed') and run_id is null and broadcast_id is null) as messages,
      (select count(*)::int from reminder where state = 'pending' and due_at <= now()) as reminders
    from flow_run where status in ('queued', 'running', 'waiting')
  `.execute(db)
  const { queued, running, waiting, pending, jobs, broadcasts, messages, reminders } = rows[0]!
  return `Hooks are paused and nothing is sent until you say so. What was under way:

  runs          ${queued} queued, ${running} running, ${waiting} waiting
  deliveries    ${pending} pending: sent again under the same event ids, by which receivers drop what they have
  resend jobs   ${jobs} running
  broadcasts    ${broadcasts} under way or due later: who has had one since is not known
  messages      ${messages} besides, of staff and of the assistant
  reminders     ${reminders} of appointments, due by now

If the service worked on after the backup was made, these runs went on: taken on from here they would
send and call a second time. End them, and each merchant is told by flow.failed; broadcasts are paused, and
messages and reminders that were due are not sent:

  npm run operator -- resume end-runs

Only if nothing has worked since the backup, as when a service is moved, take them on:

  npm run operator -- resume go-on`
}
