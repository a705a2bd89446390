import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Fact } from '../../core/facts/fact.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'

/**
 * Marks a channel as disconnected because the provider no longer accepts its credentials. Until a member reconnects
 * it, hooks answer `channel_unavailable`, which merchants retry, instead of starting runs that fail.
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
