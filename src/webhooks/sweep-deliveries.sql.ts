import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { oldestIdAt } from '../ids.ts'
import { RETENTION } from '../limits.ts'

/**
 * Ends deliveries that have waited for 7 days, due or held: they are `expired`, and stay in the log.
 * At most `most` of them, the oldest first; returns how many.
 *
 * Isolation: a delivery that is being attempted has a claim and is left alone; `skip locked` passes
 * by the rows that another node claims, settles or sweeps at this moment.
 * Spec: Retention › What is kept.
 */
export async function expireDeliveries(db: Kysely<DB>, now: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select id from webhook_delivery
      where state in ('pending', 'held') and claim_id is null
        and created_at < ${new Date(now.getTime() - RETENTION.waitingEventMs)}
      order by created_at limit ${most} for update skip locked
    )
    update webhook_delivery set state = 'expired', lane = null, due_at = null, ended_at = ${now}
    from picked where webhook_delivery.id = picked.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/**
 * Deletes deliveries from the log 30 days after they were made; their attempts go by the day. Ids sort by
 * time, so the oldest are found at the beginning of the primary key. At most `most`; returns how many.
 *
 * Isolation: `skip locked`, as above; nothing that still waits is deleted before it has expired.
 * Spec: Retention › What is kept.
 */
export async function deleteOldDeliveries(
  db: Kysely<DB>,
  now: Date,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select id from webhook_delivery
      where id < ${oldestIdAt(new Date(now.getTime() - RETENTION.deliveryLogMs))}::uuid
        and state not in ('pending', 'held')
      order by id limit ${most} for update skip locked
    )
    delete from webhook_delivery using picked where webhook_delivery.id = picked.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/**
 * Deletes events and their bodies 30 days after they were raised, once no delivery of theirs is left
 * in the log: one that was resent later keeps its body for as long as that delivery. At most `most`;
 * returns how many.
 *
 * Isolation: `skip locked` passes by an event that another node sweeps or a new delivery refers to; a
 * delivery that is written after the look-up makes the foreign key refuse this statement, which then
 * deletes nothing and comes again.
 * Spec: Retention › What is kept.
 */
export async function deleteOldEvents(db: Kysely<DB>, now: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select id from event
      where id < ${oldestIdAt(new Date(now.getTime() - RETENTION.deliveryLogMs))}::uuid
        and not exists (select from webhook_delivery where event_id = event.id)
      order by id limit ${most} for update skip locked
    )
    delete from event using picked where event.id = picked.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
