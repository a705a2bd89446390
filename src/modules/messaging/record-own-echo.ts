import { sql, type Transaction } from 'kysely'
import type { ProviderEvent } from '../channels/inbound.ts'
import type { Channel } from '../channels/load-channel.ts'
import type { DB } from '../../infra/database/tables.ts'
import { ECHO_LIMITS } from '../../core/limits/messaging.ts'
import { readProviderTime } from '../../rules/messaging/provider-time.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { lockConversations } from './lock-conversations.sql.ts'
import { identifiersOf } from '../../rules/identity/identifier.ts'
import { lockCustomer } from './lock-customer.ts'
import { recordReceipts } from './record-receipt.ts'

/**
 * Matches an echo with an own message of the same text whose send is in progress or whose result was lost: the message
 * was sent, and this is its id. Returns whether it matched. An echo may arrive before the response to the send; without
 * this it would look like a takeover by the owner. Spec: Flows › Effects.
 */
export async function recordOwnEcho(
  tx: Transaction<DB>,
  { now }: { now: Date },
  channel: Channel,
  event: Extract<ProviderEvent, { kind: 'echo' }>,
): Promise<boolean> {
  const identifiers = identifiersOf(event.customer, channel)
  const [identifier] = identifiers
  if (!identifier) return false
  const at = readProviderTime(event.at, now)
  const companyId = channel.company.id
  await lockCustomer(tx, companyId, identifiers)
  await lockConversations(tx, {
    ids: [],
    customers: [{ companyId, channelId: channel.id, identifiers }],
  })
  const providerMessageId = cleanText(event.providerMessageId)
  const text = event.text === null ? null : cleanText(event.text).trim()
  // Among equal ones, prefer those in progress in their order, then the last one sent. Surrounding space is
  // ignored. A question with buttons is echoed as its text with the choices below where buttons are not supported.
  const { rows } = await sql<{ id: string; runId: string | null }>`
    select message.id, message.run_id from conversation
      join message on message.conversation_id = conversation.id
      cross join lateral (select ltrim(message.text, E' \\t\\r\\n') as text) said
    where conversation.channel_id = ${channel.id} and conversation.identity_id = (
        select identity_id from identifier where identifier.company_id = ${companyId}
          and kind = ${identifier.kind} and key = ${identifier.key} and state <> 'left')
      and message.direction = 'out' and message.status in ('sending', 'unknown')
      and message.provider_message_id is null and message.type = ${event.type}
      and (${text}::text is null or (starts_with(said.text, ${text}::text)
        and substr(said.text, char_length(${text}::text) + 1) ~ '^[ \\t\\r]*(\\n|$)'))
      and message.occurred_at > ${at}::timestamptz - ${ECHO_LIMITS.ownEchoMs} * interval '1 ms'
      and not exists (select from message known
        where known.channel_id = ${channel.id} and known.provider_message_id = ${providerMessageId})
    order by case when message.status = 'sending' then message.occurred_at end,
      message.occurred_at desc
    limit 1`.execute(tx)
  const [own] = rows
  if (!own) return false
  const receipt = { providerMessageId, status: 'sent' as const, at }
  await recordReceipts(tx, now, [{ messageId: own.id, runId: own.runId, receipt }])
  return true
}
