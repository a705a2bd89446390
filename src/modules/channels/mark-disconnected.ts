import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Fact } from '../../core/facts/fact.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'

/**
 * The provider no longer accepts the channel's credentials: until someone connects it again its hooks
 * answer `channel_unavailable`, which a shop is told to retry, instead of starting runs that fail.
 */
export async function markDisconnected(
  tx: Transaction<DB>,
  now: Date,
  channelId: string,
  reason: Fact,
): Promise<void> {
  await tx
    .updateTable('channel')
    .set({ isConnected: false, disconnectedReason: serializeFact(reason), updatedAt: now })
    .where('id', '=', channelId)
    .where('isConnected', '=', true)
    .execute()
}
