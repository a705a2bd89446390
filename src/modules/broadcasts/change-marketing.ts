import { sql, type Transaction } from 'kysely'
import type { ProviderEvent } from '../channels/inbound.ts'
import type { Channel } from '../channels/load-channel.ts'
import type { DB } from '../../infra/database/tables.ts'
import { identifiersOf } from '../../rules/identity/identifier.ts'
import { lockCustomer } from '../messaging/lock-customer.ts'
import { lookUpCustomers } from '../messaging/look-up-customers.sql.ts'
import { readProviderTime } from '../../rules/messaging/provider-time.ts'

/**
 * Records that the customer asked the provider to stop or resume marketing from the channel. The later of two decisions
 * applies. An unknown customer has no contact, so nothing is recorded. Spec: reading R12.
 */
export async function changeMarketing(
  tx: Transaction<DB>,
  { now }: { now: Date },
  channel: Channel,
  { customer, isWanted, at }: Extract<ProviderEvent, { kind: 'marketing' }>,
): Promise<void> {
  const companyId = channel.company.id
  const identifiers = identifiersOf(customer, channel)
  await lockCustomer(tx, companyId, identifiers)
  const [known] = await lookUpCustomers(tx, [{ companyId, channelId: channel.id, identifiers }])
  if (!known?.contactId) return
  const since = readProviderTime(at, now)
  await (
    isWanted
      ? sql`delete from marketing_stop
        where contact_id = ${known.contactId} and channel_id = ${channel.id} and at <= ${since}`
      : sql`insert into marketing_stop (contact_id, channel_id, company_id, at)
        values (${known.contactId}, ${channel.id}, ${companyId}, ${since})
        on conflict (contact_id, channel_id)
          do update set at = greatest(marketing_stop.at, excluded.at)`
  ).execute(tx)
}
