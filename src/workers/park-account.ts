/**
 * Parked work. What waits for an account that moves to another installation is due 400 years later until the account
 * is released, so no worker claims it and no statement has to ask whether an account is on hold.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DB } from '../infra/database/tables.ts'
import { QUEUES } from './queues.ts'

/** A column of due times, and how its rows find their company. */
type Due = { table: string; column: string; isOf(accountId: string): RawBuilder<unknown> }

/** An exact duration, so that the original time is restored whatever the time zone of the session is. */
const PARKED_FOR = sql`interval '3506328 hours'`
/** No time that the service sets is as late, and every parked time is later. */
const LATEST = sql`timestamptz '2300-01-01 00:00:00Z'`

const companiesOf = (accountId: string) =>
  sql`(select id from company where account_id = ${accountId})`
const byCompany = (accountId: string) => sql`company_id in ${companiesOf(accountId)}`
const byChannel = (accountId: string) =>
  sql`channel_id in (select id from channel where company_id in ${companiesOf(accountId)})`

/**
 * Every column of due times that a worker reads. A test compares it with the tables.
 *
 * @internal
 */
export const DUE_COLUMNS: readonly Due[] = [
  { table: 'run_queue', column: 'due_at', isOf: byCompany },
  { table: 'message', column: 'due_at', isOf: byCompany },
  { table: 'assistant_reply', column: 'due_at', isOf: byCompany },
  { table: 'file', column: 'due_at', isOf: byCompany },
  { table: 'knowledge_source', column: 'due_at', isOf: byCompany },
  { table: 'profile_lookup', column: 'due_at', isOf: byCompany },
  { table: 'reminder', column: 'due_at', isOf: byCompany },
  { table: 'appointment_notice', column: 'due_at', isOf: byCompany },
  { table: 'broadcast', column: 'due_at', isOf: byCompany },
  { table: 'resend_job', column: 'due_at', isOf: byCompany },
  { table: 'close_job', column: 'due_at', isOf: byCompany },
  { table: 'contact_tag_job', column: 'due_at', isOf: byCompany },
  { table: 'contact_import', column: 'due_at', isOf: byCompany },
  { table: 'channel', column: 'templates_due_at', isOf: byCompany },
  { table: 'notice', column: 'mail_due_at', isOf: byCompany },
  { table: 'channel_poll', column: 'due_at', isOf: byChannel },
  { table: 'delivery_queue', column: 'due_at', isOf: byCompany },
]

/** The tables of claims. A row of another one has no claim. */
const CLAIMED: ReadonlySet<string> = new Set(QUEUES.map(({ table }) => table))

/**
 * Postpones all waiting work of an account that is on hold, except claimed rows. Returns the number of postponed rows.
 *
 * Isolation: read committed. A row that a worker claims meanwhile is skipped once it is locked.
 */
export async function parkWork(db: Kysely<DB>, accountId: string): Promise<number> {
  let parked = 0
  for (const { table, column, isOf } of DUE_COLUMNS) {
    const due = sql.ref(column)
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set ${due} = ${due} + ${PARKED_FOR} ${queueOf(table)}
      where ${due} < ${LATEST} ${CLAIMED.has(table) ? sql`and claim_id is null` : sql``}
        and ${isOf(accountId)}
    `.execute(db)
    parked += Number(numAffectedRows ?? 0)
  }
  return parked
}

/** Makes the postponed work of an account due again. Returns the number of rows. */
export async function unparkWork(db: Kysely<DB>, accountId: string): Promise<number> {
  let unparked = 0
  for (const { table, column, isOf } of DUE_COLUMNS) {
    const due = sql.ref(column)
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set ${due} = ${due} - ${PARKED_FOR}
      where ${due} >= ${LATEST} and ${isOf(accountId)}
    `.execute(db)
    unparked += Number(numAffectedRows ?? 0)
  }
  return unparked
}

/** A delivery that is due waits in a queue that claims read, until it is due later. */
const queueOf = (table: string) => (table === 'delivery_queue' ? sql`, queue = 'later'` : sql``)

/**
 * Returns the number of rows of an account that are due or claimed, including flows whose runs are being ended. At 0
 * nothing more happens for an account on hold.
 *
 * Isolation: one statement, so that a row which a worker claims or settles meanwhile is counted either way.
 */
export async function countActive(db: Kysely<DB>, accountId: string): Promise<number> {
  const counts = DUE_COLUMNS.flatMap(({ table, column, isOf }) => {
    const count = (condition: RawBuilder<unknown>) =>
      sql`(select count(*) from ${sql.table(table)} where ${condition} and ${isOf(accountId)})`
    const isDue = sql`${sql.ref(column)} < ${LATEST}`
    return CLAIMED.has(table)
      ? [count(sql`${isDue} and claim_id is null`), count(sql`claim_id is not null`)]
      : [count(isDue)]
  })
  const { rows } = await sql<{ count: number }>`
    select (${sql.join(counts, sql` + `)}
      + (select count(*) from flow where has_runs_to_end and ${byCompany(accountId)}))::int as count
  `.execute(db)
  return rows[0]!.count
}
