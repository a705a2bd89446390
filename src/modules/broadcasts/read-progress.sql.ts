import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { BROADCAST_LIMITS } from '../../core/limits/broadcasts.ts'
import type { BroadcastRow } from './require-broadcast.ts'

/** The progress of a broadcast, as far as it decides the next action. */
export type Progress = {
  channel: {
    type: string
    isCoexistence: boolean
    isConnected: boolean
    disconnectedReason: string | null
    isDeleted: boolean
    companyName: string | null
  }
  /** Broadcasts that are sending through the channel now. */
  broadcasts: number
  /** Messages of the broadcast that are queued or in flight. */
  waiting: number
  /** Failures since the last message that went out, counted up to the number that pauses the broadcast. */
  failuresInRow: number
}

type Row = Progress['channel'] & Omit<Progress, 'channel'>

/**
 * Loads what decides whether and how fast a broadcast continues. Each part is an index look-up, so its cost does not
 * grow with the broadcast.
 */
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
 * Returns true if a message of the broadcast is queued, in flight, or refused with a retry to come. It is called once
 * no recipient is left to queue. It is one statement: between two, a refused message could become its retry and appear
 * in neither.
 */
export async function hasUnfinishedMessages(
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
