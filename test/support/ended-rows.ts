/**
 * Rows that have left their queue while an older transaction is open, and the pages that a statement reads. Each row
 * was inserted twice, once waiting and once claimed, and then deleted. The due times are in another order than the
 * rows, so that each row that is visited costs a page.
 */
import type pg from 'pg'
import type { Statement } from './statements.ts'

/** The columns and values of an ended row. In the values, $1 is the latest due time and `nth` the number of the row. */
type EndedRow = { table: string; columns: string; values: string }

/** The number of rows that `leaveEndedRows` inserts and deletes. */
const ENDED_ROWS = 3_000

/** SQL of the due time of an ended row. */
const DUE = `$1::timestamptz - nth * 7919 % ${ENDED_ROWS} * interval '10 ms'`

/** SQL of one of ten ids. */
const ONE_OF_TEN = `('00000000-0000-4000-8000-' || lpad((nth % 10)::text, 12, '0'))::uuid`

const DELIVERY: EndedRow = {
  table: 'delivery_queue',
  columns: 'id, company_id, endpoint_id, kind, queue, due_at',
  values: `gen_random_uuid(), company.id, ${ONE_OF_TEN}, 'event', 'first', ${DUE}`,
}

/** Returns the deliveries of one endpoint. */
export const deliveryOf = (endpointId: string): EndedRow => ({
  ...DELIVERY,
  values: DELIVERY.values.replace(ONE_OF_TEN, `'${endpointId}'`),
})

/** An ended row of each queue with many rows, by the name of the queue. */
export const ENDED: Readonly<Record<string, EndedRow>> = {
  deliveries: DELIVERY,
  runs: {
    table: 'run_queue',
    columns: 'id, company_id, is_new, due_at',
    values: `gen_random_uuid(), company.id, nth % 2 = 0, ${DUE}`,
  },
  replies: {
    table: 'assistant_reply',
    columns:
      'id, company_id, conversation_id, state, due_at, first_message_id, last_message_id, noted_at, started_at',
    values: `gen_random_uuid(), company.id, gen_random_uuid()::text, 'sending', ${DUE}, 'm', 'm', $1, $1`,
  },
  'messages to send': {
    table: 'message',
    columns: `id, company_id, conversation_id, channel_id, send_key, sender, type, attempt, priority, outbound,
      direction, status, due_at, occurred_at, created_at`,
    values: `'o_' || replace(new_uuid_v7($1::timestamptz - interval '1 hour')::text, '-', ''), company.id, 'c',
      ${ONE_OF_TEN}, gen_random_uuid()::text, 'staff', 'text', 1, 1, '{}', 'out', 'queued', ${DUE}, $1, $1`,
  },
}

/** Leaves ended rows of a company that were due until a time. */
export async function leaveEndedRows(
  pool: pg.Pool,
  { table, columns, values }: EndedRow,
  { companyId, latest }: { companyId: string; latest: Date },
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(`set session_replication_role = 'replica'`)
    const from = `from company, generate_series(1, ${ENDED_ROWS}) nth where company.id = $2`
    const of = [latest, companyId]
    await client.query(`insert into ${table} (${columns}) select ${values} ${from}`, of)
    await client.query(
      `insert into ${table} (${columns}, claim_id, lease_expires_at)
        select ${values}, gen_random_uuid(), ${DUE} + interval '30 s' ${from}`,
      of,
    )
    await client.query(`delete from ${table} where due_at <= $1`, [latest])
    await client.query(`set session_replication_role = 'origin'`)
    // As after a while: the planner knows that the table has no rows.
    await client.query(`analyze ${table}`)
  } finally {
    client.release()
  }
}

/** Returns the pages that a statement reads. Its writes are rolled back. */
export async function pagesOf(pool: pg.Pool, { text, values }: Statement): Promise<number> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<{
      'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }]
    }>(`explain (analyze, buffers, format json) ${text}`, [...values])
    const { Plan: plan } = rows[0]!['QUERY PLAN'][0]
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  } finally {
    await client.query('rollback')
    client.release()
  }
}
