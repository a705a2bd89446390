/**
 * Long work that goes on page by page. A job is a row with the time when its next page is due, which is null
 * while it is not at work.
 */
import { sql, type Kysely, type Transaction } from 'kysely'
import type { Logger } from 'pino'
import { byTurns } from './by-turns.ts'
import type { Database } from './connect.ts'
import type { DB } from './tables.ts'
import { transaction } from './transaction.ts'

/** The tables of jobs: each has `id`, `company_id` and `due_at`. */
type JobTable = 'resend_job' | 'close_job' | 'contact_tag_job' | 'contact_import' | 'broadcast'

type Deps = { db: Database; clock: { now(): Date }; log: Logger }

/**
 * Takes each job that is due one page on, in a transaction of its own, which also keeps its place: a process
 * that is killed leaves the page undone, as if it had not begun. One that fails is tried again later, and
 * holds up no other. Accounts take turns, of each the job that is due longest. Returns how many were stepped.
 *
 * @param step locks the job with `skip locked`, so that nodes share the jobs and never both step one; false
 *   when it is no longer due, or another node steps it.
 */
export async function stepDueJobs(
  { db, clock, log }: Deps,
  table: JobTable,
  { jobsAtOnce, afterFaultMs }: { jobsAtOnce: number; afterFaultMs: number },
  step: (tx: Transaction<DB>, jobId: string, now: Date) => Promise<boolean>,
): Promise<number> {
  const { rows: due } = await sql<{ id: string }>`
    ${byTurns(
      sql`select id, company_id, due_at from ${sql.table(table)} where due_at <= ${clock.now()}`,
      jobsAtOnce,
    )}`.execute(db.kysely)
  let steps = 0
  for (const { id } of due) {
    try {
      if (await transaction(db, (tx) => step(tx, id, clock.now()))) steps += 1
    } catch (error) {
      log.error({ err: error, table, jobId: id }, 'a page of a job failed, will try again')
      await sql`
        update ${sql.table(table)} set due_at = ${new Date(clock.now().getTime() + afterFaultMs)}
        where id = ${id} and due_at is not null`.execute(db.kysely)
    }
  }
  return steps
}

/** When the next page of any job is due; null when none is at work. */
export async function nextJobStep(db: Kysely<DB>, table: JobTable): Promise<Date | null> {
  const { rows } = await sql<{ dueAt: Date }>`
    select due_at from ${sql.table(table)} where due_at is not null
    order by due_at limit 1`.execute(db)
  return rows[0]?.dueAt ?? null
}
