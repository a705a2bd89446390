import { sql, type Transaction } from 'kysely'
import type { Database } from './connect.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'
import type { DB } from './tables.ts'
import { transaction } from './transaction.ts'

/**
 * Runs `work` in a transaction, and returns its result once the commit is known to have happened. If the response to the
 * commit was lost, it reads the status of the transaction as soon as the database is available. It serves writes ahead
 * of a side effect that must happen once, which would otherwise count as done without having happened, and writes that
 * a retry must not add twice.
 *
 * @param patience the time of `retryWhileUnavailable` for reading the status. A caller that retries `work` passes its
 * own: with a shorter one the caller would repeat a transaction of which nothing is known.
 * @throws what `transaction` throws; then the transaction was not committed, or its outcome is unknown
 */
export async function confirmedTransaction<Value>(
  db: Pick<Database, 'kysely' | 'afterCommit'>,
  work: (tx: Transaction<DB>) => Promise<Value>,
  patience: { stopping?: AbortSignal } = {},
): Promise<Value> {
  let done: { value: Value; xid: string } | null = null
  try {
    return await transaction(db, async (tx) => {
      done = null
      const value = await work(tx)
      const { rows } = await sql<{ xid: string }>`
        select pg_current_xact_id()::text as xid`.execute(tx)
      done = { value, xid: rows[0]!.xid }
      return value
    })
  } catch (error) {
    const left = done as { value: Value; xid: string } | null
    if (left === null || !isDatabaseUnavailable(error)) throw error
    const reading = { ...patience, isWorthIt: isInProgress }
    if (await retryWhileUnavailable(() => isCommitted(db, left.xid), reading)) return left.value
    throw error
  }
}

/** The error for a transaction that is still open: the server has not noticed yet that its client is gone. */
class InProgress extends Error {}
const isInProgress = (error: unknown) => error instanceof InProgress

async function isCommitted({ kysely }: Pick<Database, 'kysely'>, xid: string): Promise<boolean> {
  const { rows } = await sql<{ status: string | null }>`
    select pg_xact_status(${xid}::xid8) as status`.execute(kysely)
  if (rows[0]!.status === 'in progress') throw new InProgress()
  return rows[0]!.status === 'committed'
}
