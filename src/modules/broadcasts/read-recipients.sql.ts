import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { BROADCAST_WORK } from '../../core/limits/broadcasts.ts'
import {
  ADDRESS_COLUMNS,
  addressOnChannel,
  identifierOf,
  type AddressRow,
} from '../messaging/identifier-on-channel.ts'
import type { Identifier } from '../../rules/identity/identifier.ts'
import type { BroadcastRow } from './require-broadcast.ts'

/** A recipient to process, with the current facts that decide about sending. */
export type DueRecipient = {
  number: number
  /** The id is null if the contact was merged or deleted. */
  contactId: string | null
  name: string | null
  phone: string | null
  email: string | null
  language: string | null
  fields: Record<string, string> | null
  isOptedOut: boolean
  hasStoppedMarketing: boolean
  /** Number of messages that were written to the recipient before a recall. */
  attempts: number
  /** The recipient's address on the channel; null if there is none. */
  identifier: Identifier | null
}

type Row = Omit<DueRecipient, 'identifier'> & AddressRow

/**
 * Reads the requested recipients with everything that decides about sending. The address is the identifier of their
 * conversation on the channel, their own before that of a merged contact, or else their number.
 *
 * Spec: Broadcasts › Sending; reading R4.
 */
export async function readRecipients(
  tx: Transaction<DB>,
  { id, companyId, channelId }: Pick<BroadcastRow, 'id' | 'companyId' | 'channelId'>,
  source: RawBuilder<unknown>,
): Promise<DueRecipient[]> {
  const { rows } = await sql<Row>`
    select recipient.number, contact.id as contact_id, contact.name, contact.phone, contact.email,
      contact.language, contact.fields, ${ADDRESS_COLUMNS},
      contact.opted_out_at is not null as is_opted_out,
      coalesce((select max(attempt) from message
        where send_key = ${sendKeyOf(id, '')} || recipient.number), 0) as attempts,
      exists (select from marketing_stop
        where marketing_stop.contact_id = contact.id and marketing_stop.channel_id = ${channelId})
        as has_stopped_marketing
    from (${source}) recipient
      left join lateral (select * from contact
        where contact.id = recipient.contact_id and contact.company_id = ${companyId} limit 1
      ) contact on true
      left join lateral (${addressOnChannel(sql`${channelId}::uuid`)}) address on true
    order by recipient.number`.execute(tx)
  return rows.map((row) => ({ ...row, identifier: identifierOf(row) }))
}

/** Returns the idempotency key of a recipient's message, which is the same for every retry. */
export function sendKeyOf(broadcastId: string, number: number | ''): string {
  return `broadcast:${broadcastId}:${number}`
}

/**
 * Returns the query of the next recipients of one page, in order. The page bounds the rows read, even if the planner
 * misjudges how many recipients are pending.
 */
export function selectNextRecipients(
  { id, enqueuedTo }: Pick<BroadcastRow, 'id' | 'enqueuedTo'>,
  limit: number,
): RawBuilder<unknown> {
  return sql`select number, contact_id from broadcast_recipient
    where broadcast_id = ${id} and number > ${enqueuedTo} and number <= ${endOfPage(enqueuedTo)}
      and message_id is null and skip_reason is null
    order by number limit ${limit}`
}

/** Returns the number of the last recipient that `selectNextRecipients` can read in one page. */
export function endOfPage(enqueuedTo: number): number {
  return enqueuedTo + BROADCAST_WORK.page
}

/** Returns the query of one contact in the form of a recipient; the contact need not be one. */
export function selectSingleContact(contactId: string): RawBuilder<unknown> {
  return sql`select 0 as number, ${contactId}::uuid as contact_id`
}
