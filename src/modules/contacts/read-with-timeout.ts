import { sql, type Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { WHOLE_READS } from '../../core/limits/contacts.ts'
import { lockNumber } from '../messaging/lock-customer.ts'
import { ServiceError } from '../../core/service-error.ts'

/** Of PostgreSQL: the statement took longer than it may. */
const OUT_OF_TIME = '57014'

/**
 * What is read by one statement over all contacts of a company, given up after `withinMs`: null then. A company
 * has so many of them at once, so that nobody's counting keeps others from their work.
 *
 * Isolation: a place is an advisory lock that the transaction holds; it counts over all processes.
 *
 * @throws rate_limited where all places are taken.
 * Spec: Contacts › Segments; Contacts › Merging.
 */
export async function readWithTimeout<Value>(
  db: Context['db'],
  { companyId, withinMs }: { companyId: string; withinMs: number },
  read: (tx: Transaction<DB>) => Promise<Value>,
): Promise<Value | null> {
  try {
    return await transaction(db, async (tx) => {
      await takePlace(tx, companyId)
      await sql`select set_config('statement_timeout', ${`${withinMs}`}, true)`.execute(tx)
      return read(tx)
    })
  } catch (error) {
    if ((error as { code?: unknown }).code !== OUT_OF_TIME) throw error
    return null
  }
}

async function takePlace(tx: Transaction<DB>, companyId: string): Promise<void> {
  const { atOnce, againMs } = WHOLE_READS
  for (let place = 1; place <= atOnce; place += 1) {
    const key = lockNumber(`${companyId}|whole-read|${place}`)
    const { rows } = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_xact_lock(${key}) as is_ours`.execute(tx)
    if (rows[0]!.isOurs) return
  }
  throw new ServiceError('rate_limited', fact('whole_reads_at_once', { most: atOnce }), {
    retryAfterMs: againMs,
  })
}
