/** Replies of the assistant. */
import { newIdOf, nowOf, storeOf, type FieldsOf, type Recorded, type RecordOf } from './records.ts'

export type ReplyRecord = RecordOf<'assistantReply'>

export const replyOf = (world: Recorded, replyId: string): Promise<ReplyRecord> =>
  storeOf(world)
    .selectFrom('assistantReply')
    .selectAll()
    .where('id', '=', replyId)
    .executeTakeFirstOrThrow()

/** Adds a reply that the assistant is thinking about. Returns its id. */
export async function addReply(
  world: Recorded,
  { companyId, conversationId }: { companyId: string; conversationId: string },
  more: FieldsOf<'assistantReply'> = {},
): Promise<string> {
  const id = more.id ?? newIdOf(world)
  const now = nowOf(world)
  await storeOf(world)
    .insertInto('assistantReply')
    .values({
      state: 'thinking',
      firstMessageId: 'm',
      notedMessageId: 'm',
      notedAt: now,
      startedAt: now,
      ...more,
      id,
      companyId,
      conversationId,
    })
    .execute()
  return id
}

export async function deleteReply(world: Recorded, replyId: string): Promise<void> {
  await storeOf(world).deleteFrom('assistantReply').where('id', '=', replyId).execute()
}
