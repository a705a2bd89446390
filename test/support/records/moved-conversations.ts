/** Conversations that become those of another channel, id or customer. */
import { conversationsOf, putConversation } from './conversations.ts'
import { deleteMessages } from './messages.ts'
import { update, type Company, type Recorded } from './records.ts'

/** Makes the customer of a conversation a visitor who is no contact, and opens the conversation again. */
export const makeVisitor = (
  world: Recorded,
  id: string,
  { visitorName }: { visitorName: string | null },
) => {
  const open = { status: 'open', resolvedAt: null, resolvedBy: null }
  const visitor = { contactId: null, identityId: null, visitorName, channelType: 'web_widget' }
  return putConversation(world, id, { ...open, ...visitor })
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
  await update(world, 'message', { conversationId: id }, { channelId })
  await putConversation(world, id, { channelId })
}

/** Gives a conversation another id. Its messages are deleted. */
export async function renameConversation(world: Recorded, { id, to }: { id: string; to: string }) {
  await deleteMessages(world, { conversationId: id })
  await putConversation(world, id, { id: to })
}

/** Makes a company's conversations those of another type of channel, where only what the type promises is looked at. */
export const moveToChannelType = (world: Recorded, { companyId }: Company, channelType: string) => {
  // The window of Telegram does not end.
  const window = channelType === 'telegram' ? { serviceWindowEndsAt: null } : {}
  return update(world, 'conversation', { companyId }, { channelType, ...window })
}

/** Changes the number of its customer under which a conversation is filed. */
export const fileUnder = (world: Recorded, id: string, phone: string) =>
  putConversation(world, id, { filedUnder: phone.slice(1) })
