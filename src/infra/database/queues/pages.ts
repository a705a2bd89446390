/**
 * Paged jobs: long work that runs page by page. A job is a row with the time when its next page is due, null while it
 * is inactive. There is no claim: a page is one transaction, which locks its job until the commit.
 */
import { sql, type Kysely, type Selectable, type Transaction, type Updateable } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../connect.ts'
import { isDatabaseUnavailable } from '../is-database-unavailable.ts'
import type { DB } from '../tables.ts'
import { transaction } from '../transaction.ts'
import { accountOf, roundRobin } from './round-robin.sql.ts'

/** The tables of jobs: each has `id`, `company_id` and `due_at`. */
export type JobTable = 'resendJob' | 'closeJob' | 'contactTagJob' | 'contactImport' | 'broadcast'

/** A kind of job. `Deps` are the dependencies of its pages. */
export type PagedJob<Table extends JobTable, Deps = object> = {
  table: Table
  /** Maximum number of jobs of which one pass processes a page. */
  jobsPerPass: number
  /** Delay before a failed page is retried. */
  retryMs: number
  /**
   * Processes the next page of a due job whose row is locked.
   *
   * Returns the changes of the job's row, or null when they are written already.
   */
  step(
    tx: Transaction<DB>,
    deps: Deps & { now: Date },
    job: Selectable<DB[Table]>,
  ): Promise<Updateable<DB[Table]> | null>
}

/** Delay before a page is retried that met an outage, which may be of this page alone, as with an unreadable block. */
const OUTAGE_RETRY_MS = 1_000

type Working = { db: Database; clock: { now(): Date }; log: Logger }

/**
 * Processes one page of each due job of a kind, in a transaction per job that also stores the cursor: a killed process
 * leaves the page undone. A failed page is retried later and delays no other job. Accounts take turns, each with the
 * job that is due longest. Returns the number of processed jobs.
 *
 * Isolation: a job's row is locked with `skip locked`, so that nodes share the jobs and never process the same one.
 */
export async function processDuePages<Table extends JobTable, Needed>(
  context: Needed & Working,
  kind: PagedJob<Table, Needed>,
): Promise<number> {
  const { db, clock, log } = context
  const table = sql.table(kind.table)
  const waiting = sql`
    select job.id, account_id, company_id, due_at, 1 as part
    from (select id, company_id, due_at from ${table} where due_at <= ${clock.now()}) job
      ${accountOf(sql`company_id`)}`
  const { rows } = await sql<{ id: string }>`${roundRobin(waiting, kind.jobsPerPass)}`.execute(
    db.kysely,
  )
  let steps = 0
  for (const { id } of rows) {
    try {
      if (await transaction(db, (tx) => stepOne(tx, context, kind, id))) steps += 1
    } catch (error) {
      log.error({ err: error, table: kind.table, jobId: id }, 'page of a job failed: retrying')
      const retryMs = isDatabaseUnavailable(error) ? OUTAGE_RETRY_MS : kind.retryMs
      // While the database is away this fails too, which ends the pass.
      await sql`
        update ${table} set due_at = ${new Date(clock.now().getTime() + retryMs)}
        where id = ${id} and due_at is not null`.execute(db.kysely)
    }
  }
  return steps
}

/** Processes one page of a job. Returns false when the job is no longer due, or another node processes its page. */
async function stepOne<Table extends JobTable, Needed>(
  tx: Transaction<DB>,
  context: Needed & Working,
  kind: PagedJob<Table, Needed>,
  id: string,
): Promise<boolean> {
  const now = context.clock.now()
  const { rows } = await sql<Selectable<DB[Table]>>`
    select * from ${sql.table(kind.table)} where id = ${id} and due_at <= ${now}
    for no key update skip locked`.execute(tx)
  const [job] = rows
  if (!job) return false
  const change = await kind.step(tx, { ...context, now }, job)
  if (change) {
    const { table }: { table: JobTable } = kind
    const changed = change as Updateable<DB[JobTable]>
    await tx.updateTable(table).set(changed).where('id', '=', id).execute()
  }
  return true
}

/** Returns when the next page of any job of a kind is due; null when no job is active. */
export async function nextPageDue(
  db: Kysely<DB>,
  { table }: { table: JobTable },
): Promise<Date | null> {
  const { rows } = await sql<{ dueAt: Date }>`
    select due_at from ${sql.table(table)} where due_at is not null
    order by due_at limit 1`.execute(db)
  return rows[0]?.dueAt ?? null
}
