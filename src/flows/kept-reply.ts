import type { Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import type { RunInput } from './advance.ts'

/**
 * Takes the oldest reply that is kept for a run and that it has not read; null when there is none.
 * Whoever calls holds the conversation's lock, so no reply can slip in between this look and the wait.
 */
export async function takeKeptReply(
  tx: Transaction<DB>,
  runId: string,
  now: Date,
): Promise<Extract<RunInput, { kind: 'reply' }> | null> {
  const reply = await tx
    .selectFrom('flowRunReply')
    .innerJoin('message', 'message.id', 'flowRunReply.messageId')
    .select(['flowRunReply.messageId', 'message.text'])
    .where('flowRunReply.runId', '=', runId)
    .where('flowRunReply.consumedAt', 'is', null)
    .orderBy('flowRunReply.receivedAt')
    .orderBy('message.occurredAt')
    .limit(1)
    .executeTakeFirst()
  if (!reply) return null
  await tx
    .updateTable('flowRunReply')
    .set({ consumedAt: now })
    .where('runId', '=', runId)
    .where('messageId', '=', reply.messageId)
    .execute()
  return { kind: 'reply', text: reply.text }
}
