/** Conversations that become those of another channel, id or customer. */
import { storeOf, type Recorded } from './records.ts'
import { conversationsOf } from './conversations.ts'

/** Makes the customer of a conversation a visitor who is no contact, and opens the conversation again. */
export async function makeVisitor(
  world: Recorded,
  id: string,
  { visitorName }: { visitorName: string | null },
): Promise<void> {
  await storeOf(world)
    .updateTable('conversation')
    .set({
      status: 'open',
      resolvedAt: null,
      resolvedBy: null,
      contactId: null,
      visitorName,
      channelType: 'web_widget',
    })
    .where('id', '=', id)
    .execute()
}

/** Moves a channel's conversations, with their messages, to another channel. */
export async function moveConversations(
  world: Recorded,
  { channelId }: { channelId: string },
  to: { channelId: string },
): Promise<void> {
  for (const { id } of await conversationsOf(world, { channelId })) {
    await moveConversation(world, id, to)
  }
}

/** Moves a conversation, with its messages, to another channel. */
export async function moveConversation(
  world: Recorded,
  id: string,
  { channelId }: { channelId: string },
): Promise<void> {
  await storeOf(world)
    .updateTable('message')
    .set({ channelId })
    .where('conversationId', '=', id)
    .execute()
  await storeOf(world).updateTable('conversation').set({ channelId }).where('id', '=', id).execute()
}

/** Gives a conversation another id. Its messages are deleted. */
export async function renameConversation(
  world: Recorded,
  { id, to }: { id: string; to: string },
): Promise<void> {
  await storeOf(world).deleteFrom('message').where('conversationId', '=', id).execute()
  await storeOf(world).updateTable('conversation').set({ id: to }).where('id', '=', id).execute()
}
