import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { BROADCAST_LIMITS } from '../../core/limits/broadcasts.ts'
import type { BroadcastRow } from './require-broadcast.ts'

/** How a broadcast stands, as far as it decides what comes next. */
export type Progress = {
  channel: {
    type: string
    isCoexistence: boolean
    isConnected: boolean
    disconnectedReason: string | null
    isDeleted: boolean
    companyName: string | null
  }
  /** That send on the number now. */
  broadcasts: number
  /** Messages of it that are queued or under way. */
  waiting: number
  /** Up to as many as pause it. */
  failuresInRow: number
}

type Row = Progress['channel'] & Omit<Progress, 'channel'>

/** Each part is a look-up by an index, however far the broadcast has come. */
export async function readProgress(
  tx: Transaction<DB>,
  { id, channelId, resumedAt }: BroadcastRow,
): Promise<Progress> {
  const { rows } = await sql<Row>`
    select channel.type, channel.is_coexistence, channel.is_connected, channel.disconnected_reason,
      channel.deleted_at is not null as is_deleted, company.name as company_name,
      (select count(*)::int from broadcast other
        where other.channel_id = channel.id and other.state = 'sending') as broadcasts,
      (select count(*)::int from message
        where broadcast_id = ${id} and broadcast_status in ('queued', 'sending')) as waiting,
      (select count(*)::int from (
        select from message
        where broadcast_id = ${id} and broadcast_status = 'failed' and created_at >= ${resumedAt}
          and id > coalesce(greatest(${sql.join(
            WENT_OUT.map(
              (status) => sql`(select id from message
                where broadcast_id = ${id} and broadcast_status = ${status} order by id desc limit 1)`,
            ),
          )}), '')
        limit ${BROADCAST_LIMITS.failuresInRow}
      ) failed) as failures_in_row
    from channel join company on company.id = channel.company_id
    where channel.id = ${channelId}`.execute(tx)
  const { broadcasts, waiting, failuresInRow, ...channel } = rows[0]!
  return { channel, broadcasts, waiting, failuresInRow }
}

/**
 * Whether a message of it is queued, under way, or refused for now and will be tried again: asked once nobody is
 * left to hand over. One statement: between two, a refused message turns into its next try and is in neither.
 */
export async function isAnyUnderWay(
  tx: Transaction<DB>,
  { id }: Pick<BroadcastRow, 'id'>,
): Promise<boolean> {
  const { rows } = await sql`
    (select from message where broadcast_id = ${id} and broadcast_status in ('queued', 'sending') limit 1)
    union all
    (select from message where broadcast_id = ${id} and broadcast_status = 'failed' and due_at is not null
      limit 1)`.execute(tx)
  return rows.length > 0
}

const WENT_OUT = ['accepted', 'sent', 'delivered', 'read', 'unknown']
