import { sql, type Transaction } from 'kysely'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import type { Fact } from '../../core/facts/fact.ts'

/**
 * Recalls queued messages of a broadcast that no process has begun to send, or that the provider refused for now. Their
 * recipients wait again, in order. Messages in flight go out and are not retried. The caller has locked the broadcast.
 *
 * Isolation: a message that another process is about to begin is either `sending` and goes out, or is found here and
 * not there. Messages are locked in id order. A retry that is queued while this waits is found by the next pass;
 * passes repeat until one finds nothing.
 * Spec: reading R8.
 */
export async function recallQueued(
  tx: Transaction<DB>,
  now: Date,
  broadcastId: string,
): Promise<void> {
  while (await recallFound(tx, now, broadcastId));
}

/** Recalls the messages that one pass finds. Returns false if there was none. */
async function recallFound(tx: Transaction<DB>, now: Date, broadcastId: string): Promise<boolean> {
  const isToTake = sql`broadcast_id = ${broadcastId} and (broadcast_status = 'queued'
    or (broadcast_status = 'sending' and outbound is not null)
    or (broadcast_status = 'failed' and due_at is not null))`
  const { rows } = await sql<{ found: number; first: number | null }>`
    with found as materialized (
      select id from message where ${isToTake}
    ), held as materialized (
      select id, status from message where id = any(array(select id from found)) and ${isToTake}
      order by id for update
    ), under_way as (
      update message set outbound = null
      where id = any(array(select id from held where status = 'sending'))
    ), taken as (
      update message set due_at = null, outbound = null, claim_id = null, lease_expires_at = null,
        broadcast_id = null, failed_at = coalesce(failed_at, ${now}),
        status = case status when 'queued' then 'cancelled' else status end
      where id = any(array(select id from held where status <> 'sending'))
      returning id
    ), waits as (
      update broadcast_recipient set message_id = null
      where broadcast_id = ${broadcastId} and message_id = any(array(select id from taken))
      returning number
    )
    select (select count(*)::int from found) as found, (select min(number) from waits) as first
  `.execute(tx)
  const { found, first } = rows[0]!
  if (first !== null) {
    await sql`update broadcast set enqueued_to = least(enqueued_to, ${first - 1}) where id = ${broadcastId}`.execute(
      tx,
    )
  }
  return found > 0
}

/**
 * Pauses a broadcast that is scheduled, preparing or sending, stores the reason and recalls its queued messages. Any
 * other broadcast stays unchanged.
 * Spec: reading R7.
 */
export async function autoPause(
  tx: Transaction<DB>,
  now: Date,
  broadcastId: string,
  why: Fact,
): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    update broadcast set state = 'paused', reason = ${serializeFact(why)}, due_at = ${now}, updated_at = ${now}
    where id = ${broadcastId} and state in ('scheduled', 'preparing', 'sending')`.execute(tx)
  if (numAffectedRows === 0n) return
  await recallQueued(tx, now, broadcastId)
  notifyAfterCommit(tx, 'broadcasts')
}
