import { sql, type Transaction } from 'kysely'
import type { ProviderEvent } from '../channels/inbound.ts'
import type { Channel } from '../channels/load-channel.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { readProviderTime } from '../../rules/messaging/provider-time.ts'
import { transitionConversations } from './transition-conversations.ts'
import { identifiersOf } from '../../rules/identity/identifier.ts'
import { lockCustomer } from './lock-customer.ts'
import { lookUpCustomers } from './look-up-customers.sql.ts'

/**
 * Records that the customer blocked or unblocked the business, with one entry in the conversation. A block is no
 * opt-out, as the customer has stated no wish. An unknown customer is ignored.
 */
export async function recordBlocked(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  channel: Channel,
  { customer, isReachable, at }: Extract<ProviderEvent, { kind: 'reach' }>,
): Promise<void> {
  const companyId = channel.company.id
  const identifiers = identifiersOf(customer, channel)
  await lockCustomer(tx, companyId, identifiers)
  const [known] = await lookUpCustomers(tx, [{ companyId, channelId: channel.id, identifiers }])
  if (!known?.conversationId) return
  const since = isReachable ? null : readProviderTime(at, deps.now)
  const { rows } = await sql<{ id: string }>`
    update conversation set blocked_since = ${since}
    where id = ${known.conversationId} and company_id = ${companyId}
      and (blocked_since is null) <> ${isReachable}
    returning id`.execute(tx)
  if (rows.length === 0) return
  const change = { kind: 'reach', isReachable } as const
  const by = { kind: 'service' } as const
  await transitionConversations(tx, deps, [
    { companyId, conversationId: known.conversationId, by, change },
  ])
}
