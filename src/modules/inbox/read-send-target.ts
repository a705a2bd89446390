import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { sendInputs } from '../messaging/may-send.ts'
import type { SendInputs } from '../../rules/messaging/may-send.ts'
import { refuseUnknownConversation, type OwnedConversation } from './lock-conversation.ts'

/** The inputs that decide what a member may send in a conversation, and the values for templates. */
export type SendTarget = {
  facts: SendInputs
  channel: { id: string; type: string; isCoexistence: boolean }
  contact: { name: string | null; phone: string | null; language: string | null } | null
}

type Row = {
  channelId: string
  type: string
  isCoexistence: boolean
  isConnected: boolean
  disconnectedReason: string | null
  plan: string
  lastCustomerAt: Date | null
  contactId: string | null
  optedOutAt: Date | null
  name: string | null
  phone: string | null
  language: string | null
}

/**
 * Loads the channel and the contact of a conversation, with what decides whether a message may be sent.
 * @throws not_found
 */
export async function readSendTarget(
  db: Kysely<DB>,
  { companyId, conversationId }: OwnedConversation,
): Promise<SendTarget> {
  const { rows } = await sql<Row>`
    select channel.id as channel_id, channel.type, channel.is_coexistence, channel.is_connected,
      channel.disconnected_reason, account.plan, conversation.last_customer_at,
      conversation.contact_id, contact.opted_out_at, contact.name, contact.phone, contact.language
    from conversation
      join channel on channel.id = conversation.channel_id
      join company on company.id = conversation.company_id
      join account on account.id = company.account_id
      left join contact on contact.id = conversation.contact_id
    where conversation.id = ${conversationId} and conversation.company_id = ${companyId}
  `.execute(db)
  const row = rows[0] ?? refuseUnknownConversation()
  const { type, isConnected, disconnectedReason, isCoexistence, plan } = row
  const { optedOutAt, lastCustomerAt, name, phone, language } = row
  const channel = { type, isConnected, disconnectedReason }
  return {
    facts: sendInputs({ channel, plan, optedOutAt, lastCustomerAt }),
    channel: { id: row.channelId, type, isCoexistence },
    contact: row.contactId === null ? null : { name, phone, language },
  }
}
