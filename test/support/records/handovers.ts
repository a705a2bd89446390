/** Handovers of conversations, and the entries of their timelines. */
import { newIdOf, nowOf, storeOf, type FieldsOf, type Recorded } from './records.ts'

/** Returns the handovers of a conversation, oldest first. */
export const handoversOf = (world: Recorded, conversationId: string) =>
  storeOf(world)
    .selectFrom('handover')
    .selectAll()
    .where('conversationId', '=', conversationId)
    .orderBy('openedAt')
    .execute()

/** Adds a handover to a conversation, open unless it was closed. */
export async function addHandover(
  world: Recorded,
  { companyId, conversationId }: { companyId: string; conversationId: string },
  more: FieldsOf<'handover'> = {},
): Promise<void> {
  const reason = 'missing_information'
  await storeOf(world)
    .insertInto('handover')
    .values({
      id: newIdOf(world),
      reason,
      openedAt: nowOf(world),
      ...more,
      companyId,
      conversationId,
    })
    .execute()
}

/** Returns the entries of a conversation's timeline that are no messages, oldest first. */
export const entriesOf = (world: Recorded, conversationId: string) =>
  storeOf(world)
    .selectFrom('conversationEntry')
    .selectAll()
    .where('conversationId', '=', conversationId)
    .orderBy('id')
    .execute()
