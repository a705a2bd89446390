import { sql, type Transaction } from 'kysely'
import type { SendResult } from '../channels/channel-adapter.ts'
import type { ProviderError } from '../channels/inbound.ts'
import { whyRefused } from '../channels/why-refused.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { autoPause } from './recall-queued.sql.ts'

/** Error classes after which the provider would refuse every message of the number. Spec: reading R7. */
const OF_THE_BUSINESS: ReadonlySet<ProviderError['class']> = new Set(['auth', 'billing', 'blocked'])

/** A code of this service: the channel was off before anything was sent. */
const CHANNEL_OFF = 'channel_unavailable'
/** A code of a retry whose earlier attempt turned out to have been sent. */
const NOT_WANTED = 'sender_ended'

/** A refused message of a broadcast. */
type Failed = { messageId: string; error: ProviderError }

/** Returns true if a failure affects more than its own message. */
export function affectsOthers({ class: of, code, stopsMarketing }: ProviderError): boolean {
  const isOurs = code === 'opted_out' || code === CHANNEL_OFF || code === NOT_WANTED
  return OF_THE_BUSINESS.has(of) || stopsMarketing === true || isOurs
}

/** Returns the failure in a send result if it affects more than its own message, else null. */
export function sharedFailureOf(messageId: string, result: SendResult): Failed | null {
  return result.outcome === 'refused' && affectsOthers(result.error)
    ? { messageId, error: result.error }
    : null
}

/**
 * Applies what failed sends mean beyond their message: a pause of the broadcast, a disconnected channel. If the
 * provider refuses the whole number, the broadcast is paused. A customer who refuses marketing is recorded. A recipient
 * who opted out before the send is skipped. If the channel was off, the recipient waits again. If an earlier attempt
 * was sent after all, its outcome becomes the recipient's.
 *
 * Isolation: a broadcast that another process is processing is left to its next failure, so that a transaction that
 * holds customer locks never waits for it.
 * Spec: readings R4, R7, R12.
 */
export async function reactToFailures(
  tx: Transaction<DB>,
  now: Date,
  failures: readonly Failed[],
): Promise<void> {
  for (const { messageId, error } of failures) {
    if (error.stopsMarketing) await keepMarketingStop(tx, now, messageId)
    if (error.code === 'opted_out') await skipOptedOut(tx, messageId)
    if (error.code === NOT_WANTED) await removeFromFailed(tx, messageId)
    if (error.code === CHANNEL_OFF) await returnToWaiting(tx, now, messageId, whyRefused(error))
    if (!OF_THE_BUSINESS.has(error.class)) continue
    const { rows } = await sql<{ id: string }>`
      select id from broadcast where state = 'sending'
        and id = (select broadcast_id from message where id = ${messageId})
      for no key update skip locked`.execute(tx)
    const why = fact('broadcast_refused', { why: whyRefused(error) })
    if (rows[0]) await autoPause(tx, now, rows[0].id, why)
  }
}

async function keepMarketingStop(tx: Transaction<DB>, now: Date, messageId: string): Promise<void> {
  await sql`
    insert into marketing_stop (contact_id, channel_id, company_id, at)
    select conversation.contact_id, message.channel_id, message.company_id, ${now}
    from message join conversation on conversation.id = message.conversation_id
    where message.id = ${messageId} and conversation.contact_id is not null
    on conflict do nothing`.execute(tx)
}

/**
 * Returns a recipient to waiting and pauses the broadcast, because the channel was removed after the message was
 * queued.
 *
 * Isolation: waits for the process that works on the broadcast, since it writes the cursor. The caller holds no other
 * locks at this point.
 * Spec: readings R7, R8.
 */
async function returnToWaiting(
  tx: Transaction<DB>,
  now: Date,
  messageId: string,
  why: Fact,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from broadcast where id = (select broadcast_id from message where id = ${messageId})
    for no key update`.execute(tx)
  const broadcast = rows[0]
  if (!broadcast) return
  await sql`
    with kept as (
      update message set status = 'cancelled', failed_at = ${now}, broadcast_id = null, due_at = null,
        outbound = null
      where id = ${messageId} and status = 'sending' and broadcast_id = ${broadcast.id}
      returning id
    ), waits as (
      update broadcast_recipient set message_id = null
      from kept where broadcast_recipient.message_id = kept.id
      returning number
    )
    update broadcast set enqueued_to = least(enqueued_to, waits.number - 1)
    from waits where broadcast.id = ${broadcast.id}`.execute(tx)
  await autoPause(tx, now, broadcast.id, why)
}

async function skipOptedOut(tx: Transaction<DB>, messageId: string): Promise<void> {
  await sql`
    with refused as (
      update message set broadcast_id = null
      where id = ${messageId} and broadcast_id is not null returning id
    )
    update broadcast_recipient set message_id = null, skip_reason = 'opted_out'
    from refused where broadcast_recipient.message_id = refused.id`.execute(tx)
}

/** Removes a reached contact from the failed ones. Spec: reading R10. */
async function removeFromFailed(tx: Transaction<DB>, messageId: string): Promise<void> {
  await sql`
    with refused as materialized (
      select message.id, message.broadcast_id, earlier.id as earlier_id
      from message cross join lateral (
        select id from message before
        where before.send_key = message.send_key and before.attempt < message.attempt
          and before.status in ('accepted', 'sent', 'delivered', 'read')
        order by before.attempt desc limit 1
      ) earlier
      where message.id = ${messageId} and message.broadcast_id is not null
    ), moved as (
      update message set broadcast_id = case message.id when earlier_id then refused.broadcast_id end
      from refused where message.id in (refused.id, earlier_id)
    )
    update broadcast_recipient set message_id = earlier_id
    from refused where broadcast_recipient.message_id = refused.id`.execute(tx)
}
