import { sql, type Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { WHOLE_READS } from '../../core/limits/contacts.ts'
import { advisoryLockKey } from '../messaging/lock-customer.ts'
import { ServiceError } from '../../core/service-error.ts'

/** PostgreSQL's SQLSTATE `query_canceled`, also of a statement timeout. */
const OUT_OF_TIME = '57014'

/**
 * Runs a query over all contacts of a company; returns null if it takes longer than `withinMs`. A company may run only
 * a few of them at a time, so that they do not slow down others.
 *
 * Isolation: a slot is an advisory lock of the transaction; it counts across all processes.
 *
 * @throws rate_limited when all slots are taken.
 * Spec: Contacts › Segments; Contacts › Merging.
 */
export async function readWithTimeout<Value>(
  db: Context['db'],
  { companyId, withinMs }: { companyId: string; withinMs: number },
  read: (tx: Transaction<DB>) => Promise<Value>,
): Promise<Value | null> {
  try {
    return await transaction(db, async (tx) => {
      await acquireSlot(tx, companyId)
      await sql`select set_config('statement_timeout', ${`${withinMs}`}, true)`.execute(tx)
      return read(tx)
    })
  } catch (error) {
    if ((error as { code?: unknown }).code !== OUT_OF_TIME) throw error
    return null
  }
}

async function acquireSlot(tx: Transaction<DB>, companyId: string): Promise<void> {
  const { maxConcurrent, againMs } = WHOLE_READS
  for (let slot = 1; slot <= maxConcurrent; slot += 1) {
    const key = advisoryLockKey(`${companyId}|whole-read|${slot}`)
    const { rows } = await sql<{ isAcquired: boolean }>`
      select pg_try_advisory_xact_lock(${key}) as is_acquired`.execute(tx)
    if (rows[0]!.isAcquired) return
  }
  throw new ServiceError('rate_limited', fact('whole_reads_at_once', { max: maxConcurrent }), {
    retryAfterMs: againMs,
  })
}
