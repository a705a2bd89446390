import { sql, type Transaction } from 'kysely'
import type { SendResult } from '../channels/channel-adapter.ts'
import type { ProviderError } from '../channels/inbound.ts'
import { whyRefused } from '../channels/why-refused.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { autoPause } from './recall-queued.sql.ts'

/** Nothing more of the number would be taken. Spec: reading R7. */
const OF_THE_BUSINESS: ReadonlySet<ProviderError['class']> = new Set(['auth', 'billing', 'blocked'])

/** What we say ourselves, before anything goes out. */
const CHANNEL_OFF = 'channel_unavailable'
/** Of a further try, that an earlier one is known to have gone out after all. */
const NOT_WANTED = 'sender_ended'

type Failed = { messageId: string; error: ProviderError }

/** Whether a failure says more than that one message did not go. */
export function affectsOthers({ class: of, code, stopsMarketing }: ProviderError): boolean {
  const isOurs = code === 'opted_out' || code === CHANNEL_OFF || code === NOT_WANTED
  return OF_THE_BUSINESS.has(of) || stopsMarketing === true || isOurs
}

/** What the answer to a send tells beside its outcome; null where it tells nothing. */
export function failureOf(messageId: string, result: SendResult): Failed | null {
  return result.outcome === 'refused' && affectsOthers(result.error)
    ? { messageId, error: result.error }
    : null
}

/**
 * Takes in what failures tell beside that a message did not go: the provider takes nothing more of the
 * number, which pauses the broadcast; the customer wants no marketing from it; they opted out before
 * the send was begun, and the recipient is skipped; the channel was off by then, and the recipient waits; or an
 * earlier try went out after all, and is what became of the recipient.
 *
 * Isolation: a broadcast that is being stepped is left to its next failure, so that nobody who holds
 * customers waits for it.
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
    if (error.code === NOT_WANTED) await keepWhatWentOut(tx, messageId)
    if (error.code === CHANNEL_OFF) await handBack(tx, now, messageId, whyRefused(error))
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
 * The channel was taken out of use after the hand-over: the recipient waits again, and the broadcast is paused.
 *
 * Isolation: whoever steps the broadcast is waited for, while nothing else is held, since it writes the place.
 * Spec: readings R7, R8.
 */
async function handBack(
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
    update broadcast set place = least(place, waits.number - 1)
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

/** Whom it has reached is none whom it failed to reach. Spec: reading R10. */
async function keepWhatWentOut(tx: Transaction<DB>, messageId: string): Promise<void> {
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
