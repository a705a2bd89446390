import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { BROADCAST_WORK } from '../../core/limits/broadcasts.ts'
import { selectAudiencePage } from './audience.sql.ts'
import type { BroadcastRow } from './require-broadcast.ts'

const FIRST = '00000000-0000-0000-0000-000000000000'

/** The progress of preparation after one more page. */
export type Prepared = { position: string | null; total: number; isDone: boolean }

/**
 * Inserts the recipients of a broadcast from one page of its audience. It skips existing recipients, because an earlier
 * contact may have been merged since. The caller has locked the broadcast and stores the cursor in the same
 * transaction, so a killed process leaves the page unwritten. Spec: Broadcasts › Sending.
 */
export async function prepareRecipients(
  tx: Transaction<DB>,
  { id, companyId, filter, position, total, startedAt }: BroadcastRow,
): Promise<Prepared> {
  const page = selectAudiencePage(companyId, filter!, { at: startedAt!, after: position ?? FIRST })
  const { rows } = await sql<{ last: string | null; looked: number; written: number }>`
    with page as materialized (${page}), written as (
      insert into broadcast_recipient (broadcast_id, number, company_id, contact_id)
      select ${id}, ${total} + row_number() over (order by page.id), ${companyId}, page.id
      from page where page.fits and not exists (select from broadcast_recipient known
        where known.broadcast_id = ${id} and known.contact_id = page.id)
      returning number
    )
    select (select page.id from page order by page.id desc limit 1) as last,
      (select count(*)::int from page) as looked, (select count(*)::int from written) as written
  `.execute(tx)
  const { last, looked, written } = rows[0]!
  return { position: last, total: total + written, isDone: looked < BROADCAST_WORK.page }
}
