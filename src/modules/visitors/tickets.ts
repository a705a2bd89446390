/** Tickets, each of which opens one stream once, so that no URL contains a token. */
import { sql } from 'kysely'
import type { Context } from '../../infra/context.ts'
import { STREAM_LIMITS } from '../../core/limits/visitors.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'

/** The visitor whose ticket opens a stream. */
export type TicketHolder = { visitorId: string; conversationId: string }

/** Creates and returns a ticket of a visitor. Only its hash is stored. */
export async function issueTicket(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  visitorId: string,
): Promise<string> {
  const ticket = ids.cellToken(STREAM_LIMITS.ticketBytes)
  await db.kysely
    .insertInto('visitorTicket')
    .values({
      hash: tokenHash(ticket),
      visitorId,
      expiresAt: new Date(clock.now().getTime() + STREAM_LIMITS.ticketMs),
    })
    .execute()
  return ticket
}

const TICKET = /^[A-Za-z0-9_-]{43}$/

/**
 * Consumes a ticket and returns its visitor. Returns null for an unknown or expired ticket, and for a visitor without
 * messages.
 */
export async function consumeTicket(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  ticket: string,
): Promise<TicketHolder | null> {
  if (!TICKET.test(ticket)) return null
  const { rows } = await sql<TicketHolder>`
    with taken as (
      delete from visitor_ticket where hash = ${tokenHash(ticket)} returning visitor_id, expires_at
    )
    select taken.visitor_id, conversation.id as conversation_id
    from taken join visitor on visitor.id = taken.visitor_id
      join channel on channel.id = visitor.channel_id
      join conversation on conversation.channel_id = channel.id
        and conversation.filed_under = channel.provider_route || ':' || visitor.id
        and conversation.identity_id is null
    where taken.expires_at > ${clock.now()} and channel.is_connected
      and channel.deleted_at is null`.execute(db.kysely)
  return rows[0] ?? null
}
