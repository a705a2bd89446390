import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { BROADCAST_WORK } from '../../core/limits/broadcasts.ts'
import {
  ADDRESS_COLUMNS,
  addressOnChannel,
  identifierOf,
  type AddressRow,
} from '../messaging/identifiers-on-channel.ts'
import type { Identifier } from '../../rules/identity/identifier.ts'
import type { BroadcastRow } from './require-broadcast.ts'

/** A recipient whose turn it is, as all that decides about them is now. */
export type RecipientInTurn = {
  number: number
  /** Null where the contact has become part of another one, or is gone. */
  contactId: string | null
  name: string | null
  phone: string | null
  email: string | null
  language: string | null
  fields: Record<string, string> | null
  isOptedOut: boolean
  hasStoppedMarketing: boolean
  /** How often they were written to before it was taken back. */
  attempts: number
  /** What they are to be written to by on the channel; null where there is nothing. */
  identifier: Identifier | null
}

type Row = Omit<RecipientInTurn, 'identifier'> & AddressRow

/**
 * Those who are asked for, with all that decides about them. They are written to by what their conversation
 * on the channel is filed under, their own before one of whoever became part of them, else by their number.
 *
 * Spec: Broadcasts › Sending; reading R4.
 */
export async function readRecipients(
  tx: Transaction<DB>,
  { id, companyId, channelId }: Pick<BroadcastRow, 'id' | 'companyId' | 'channelId'>,
  asked: RawBuilder<unknown>,
): Promise<RecipientInTurn[]> {
  const { rows } = await sql<Row>`
    select recipient.number, contact.id as contact_id, contact.name, contact.phone, contact.email,
      contact.language, contact.fields, ${ADDRESS_COLUMNS},
      contact.opted_out_at is not null as is_opted_out,
      coalesce((select max(attempt) from message
        where send_key = ${sendKeyOf(id, '')} || recipient.number), 0) as attempts,
      exists (select from marketing_stop
        where marketing_stop.contact_id = contact.id and marketing_stop.channel_id = ${channelId})
        as has_stopped_marketing
    from (${asked}) recipient
      left join lateral (select * from contact
        where contact.id = recipient.contact_id and contact.company_id = ${companyId} limit 1
      ) contact on true
      left join lateral (${addressOnChannel(sql`${channelId}::uuid`)}) address on true
    order by recipient.number`.execute(tx)
  return rows.map((row) => ({ ...row, identifier: identifierOf(row) }))
}

/** What a recipient is written to for: once, however often it is tried. */
export function sendKeyOf(broadcastId: string, number: number | ''): string {
  return `broadcast:${broadcastId}:${number}`
}

/**
 * The next ones in their order, of one page: however wrong the database guesses how many still wait, it reads no
 * more than that.
 */
export function nextRecipients(
  { id, place }: Pick<BroadcastRow, 'id' | 'place'>,
  limit: number,
): RawBuilder<unknown> {
  return sql`select number, contact_id from broadcast_recipient
    where broadcast_id = ${id} and number > ${place} and number <= ${endOfPage(place)}
      and message_id is null and skip_reason is null
    order by number limit ${limit}`
}

/** Behind this number `nextRecipients` looks at nobody. */
export function endOfPage(place: number): number {
  return place + BROADCAST_WORK.page
}

/** One contact, whether or not a recipient. */
export function onlyContact(contactId: string): RawBuilder<unknown> {
  return sql`select 0 as number, ${contactId}::uuid as contact_id`
}
