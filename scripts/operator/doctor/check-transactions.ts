/** The doctor's check of transactions that stay open. */
import { sql } from 'kysely'
import type { Database } from '../../../src/infra/database/connect.ts'
import { ok, warning, type Finding } from './finding.ts'
import { DOCTOR } from './thresholds.ts'

/**
 * Checks how long the oldest transaction on this database has been open. Rows that queues have deleted since then stay
 * in their indexes, and a claim reads them every few seconds. A transaction on another database of the server does no
 * such harm.
 */
export async function checkTransactions(
  { kysely }: Pick<Database, 'kysely'>,
  warningMs: number = DOCTOR.transactionWarningMs,
): Promise<Finding> {
  const { rows } = await sql<{ ms: number; name: string }>`
    select (extract(epoch from clock_timestamp() - since) * 1000)::float8 as ms, name
    from (
      select xact_start as since, 'process ' || pid as name from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and (backend_xid is not null or backend_xmin is not null)
      union all
      select prepared, 'prepared transaction ' || gid from pg_prepared_xacts
      where database = current_database()) opened
    where since is not null order by since limit 1
  `.execute(kysely)
  const [oldest] = rows
  if (!oldest || oldest.ms < warningMs) return ok('transactions', 'none has been open for long')
  return warning(
    'transactions',
    `${oldest.name} of the database has had one open for ${Math.round(oldest.ms / 60_000)} minutes: queues become slow`,
    'End it: select pg_terminate_backend(PROCESS), or rollback prepared. Set idle_in_transaction_session_timeout for the account that opened it',
  )
}
