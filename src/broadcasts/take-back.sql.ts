import { sql, type Transaction } from 'kysely'
import { noteWork } from '../database/commit-notes.ts'
import type { DB } from '../database/tables.ts'
import { storeFact } from '../facts/stored-fact.ts'
import type { Fact } from '../facts/fact.ts'

/**
 * Takes back what a broadcast has handed over and nobody has begun, or the provider refused for now: its
 * recipients wait again, in their order. What is under way goes out, and is not tried again. The broadcast is
 * locked by the caller.
 *
 * Isolation: a message that another process is about to begin is either `sending` by then, and goes out, or
 * is found here, and is no longer found there. The messages are locked in the order of their ids.
 * Spec: reading R8.
 */
export async function takeBack(tx: Transaction<DB>, now: Date, broadcastId: string): Promise<void> {
  const { rows } = await sql<{ number: number }>`
    with held as materialized (
      select id, status from message
      where broadcast_id = ${broadcastId}
        and (status in ('queued', 'sending') or (status = 'failed' and due_at is not null))
      order by id for update
    ), under_way as (
      update message set outbound = null
      where id = any(array(select id from held where status = 'sending'))
    ), taken as (
      update message set due_at = null, outbound = null, claim_id = null, claimed_until = null,
        broadcast_id = null, failed_at = coalesce(failed_at, ${now}),
        status = case status when 'queued' then 'cancelled' else status end
      where id = any(array(select id from held where status <> 'sending'))
      returning id
    )
    update broadcast_recipient set message_id = null
    where broadcast_id = ${broadcastId} and message_id = any(array(select id from taken))
    returning number`.execute(tx)
  if (rows.length === 0) return
  const first = Math.min(...rows.map(({ number }) => number))
  await sql`update broadcast set place = least(place, ${first - 1}) where id = ${broadcastId}`.execute(
    tx,
  )
}

/** Pauses a broadcast that sends, with the reason; one that does not is left as it is. Spec: reading R7. */
export async function pauseItself(
  tx: Transaction<DB>,
  now: Date,
  broadcastId: string,
  why: Fact,
): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    update broadcast set state = 'paused', reason = ${storeFact(why)}, due_at = ${now}, updated_at = ${now}
    where id = ${broadcastId} and state in ('scheduled', 'preparing', 'sending')`.execute(tx)
  if (numAffectedRows === 0n) return
  await takeBack(tx, now, broadcastId)
  noteWork(tx, 'broadcasts')
}
