import type { Context } from '../../infra/context.ts'
import type { Transaction } from 'kysely'
import type { ProviderEvent } from '../channels/inbound.ts'
import type { Channel } from '../channels/load-channel.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { identifiersOf } from '../../rules/identity/identifier.ts'
import { readProviderTime } from '../../rules/messaging/provider-time.ts'
import { settleIdentity } from './settle-identity.ts'

/**
 * Applies a provider's report that a customer has other ids now, or that two ids are one account. An unknown customer
 * is ignored.
 */
export async function changeIdentity(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date; log: Context['log'] },
  channel: Channel,
  event: Extract<ProviderEvent, { kind: 'identity' }>,
): Promise<void> {
  await settleIdentity(tx, deps, channel.company, {
    type: event.what,
    before: identifiersOf(event.before, channel),
    now: identifiersOf(event.after, channel),
    scope: channel.scope,
    at: readProviderTime(event.at, deps.now),
  })
}
