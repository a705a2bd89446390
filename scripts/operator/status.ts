import { sql } from 'kysely'
import type { Context } from '../../src/infra/context.ts'
import { onDatabase, type Setting } from './command.ts'

/** The command that prints how much is due, pending and on hold. */
export const status = onDatabase('status', showStatus)

type Status = {
  pausedAt: Date | null
  heldAt: Date | null
  accounts: number
  companies: number
  onHold: number
  runsDue: number
  pending: number
  held: number
  oldestDueAt: Date | null
}

async function showStatus({ db, clock }: Context, _: string[], { print }: Setting): Promise<void> {
  const now = clock.now()
  const { rows } = await sql<Status>`
    with due_run as (
      select due_at as at from run_queue where claim_id is null and due_at <= ${now}
    ), waiting as (
      select queue, due_at from delivery_queue
    )
    select
      (select changed_at from operator_switch where name = 'hooks_paused' and is_on) as paused_at,
      (select changed_at from operator_switch where name = 'sending_held' and is_on) as held_at,
      (select count(*) from account) as accounts,
      (select count(*) from company) as companies,
      (select count(*) from account where hold is not null) as on_hold,
      (select count(*) from due_run) as runs_due,
      (select count(*) from waiting where queue <> 'held') as pending,
      (select count(*) from waiting where queue = 'held') as held,
      least((select min(at) from due_run),
        (select min(due_at) from waiting where due_at <= ${now})) as oldest_due_at
  `.execute(db.kysely)
  const found = rows[0]!
  const lines: [string, string | number][] = [
    ['hooks', found.pausedAt ? `paused since ${found.pausedAt.toISOString()}` : 'running'],
    [
      'sending',
      found.heldAt ? `on hold since the restore at ${found.heldAt.toISOString()}` : 'running',
    ],
    ['accounts', found.accounts],
    ['companies', found.companies],
    ['accounts on hold', found.onHold],
    ['runs due', found.runsDue],
    ['deliveries pending', found.pending],
    ['deliveries held', found.held],
    ['oldest due', found.oldestDueAt?.toISOString() ?? 'nothing'],
  ]
  for (const [name, value] of lines) print(`${name.padEnd(20)}${value}`)
}
