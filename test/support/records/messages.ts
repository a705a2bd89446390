/** Messages of conversations, in both directions. */
import {
  given,
  newIdOf,
  nowOf,
  storeOf,
  type FieldsOf,
  type Recorded,
  type RecordOf,
} from './records.ts'

export type MessageRecord = RecordOf<'message'>

type Of = {
  companyId?: string
  channelId?: string
  conversationId?: string
  runId?: string
  replyId?: string
  broadcastId?: string
  direction?: 'in' | 'out'
  sender?: string
}

/** The conversation that a new message is added to. */
type Where = { companyId: string; channelId: string; conversationId: string }

const whose = (of: Of) => {
  const { companyId, channelId, conversationId, runId, replyId, broadcastId } = of
  const those = given({ companyId, channelId, conversationId, runId, replyId, broadcastId })
  const { direction, sender } = of
  return given({ ...those, direction, sender })
}

/** Returns the messages of a company, channel, conversation, run, reply or broadcast, oldest first. */
export const messagesOf = (world: Recorded, of: Of): Promise<MessageRecord[]> =>
  storeOf(world)
    .selectFrom('message')
    .selectAll()
    .where((eb) => eb.and(whose(of)))
    .orderBy('occurredAt')
    .orderBy('attempt')
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** Returns what the messages say, oldest first. */
export const textsOf = async (world: Recorded, of: Of) =>
  (await messagesOf(world, of)).map(({ text }) => text)

export const messageOf = (world: Recorded, id: string): Promise<MessageRecord> =>
  storeOf(world).selectFrom('message').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Returns the message that the provider knows by this id. */
export const messageAtProvider = (
  world: Recorded,
  providerMessageId: string,
): Promise<MessageRecord> =>
  storeOf(world)
    .selectFrom('message')
    .selectAll()
    .where('providerMessageId', '=', providerMessageId)
    .executeTakeFirstOrThrow()

/** Adds a message that the provider has accepted from staff, or what the test says of it. Returns its id. */
export async function addMessage(
  world: Recorded,
  { companyId, channelId, conversationId }: Where,
  more: FieldsOf<'message'> = {},
): Promise<string> {
  const id = more.id ?? `o_${newIdOf(world).replaceAll('-', '')}`
  const now = nowOf(world)
  await storeOf(world)
    .insertInto('message')
    .values({
      direction: 'out',
      sender: more.direction === 'in' ? 'customer' : 'staff',
      type: 'text',
      ...(more.direction !== 'in' && { status: 'accepted' }),
      occurredAt: now,
      createdAt: now,
      ...more,
      id,
      companyId,
      channelId,
      conversationId,
    })
    .execute()
  return id
}

/** Sets what is known of a message that was sent: a status without the report of a provider. */
export async function setMessageStatus(
  world: Recorded,
  of: Of & { id?: string },
  status: string,
): Promise<void> {
  await storeOf(world)
    .updateTable('message')
    .set({ status })
    .where((eb) => eb.and(given({ ...(of.id === undefined ? whose(of) : { id: of.id }) })))
    .execute()
}

/** Makes a customer's messages voice notes that were transcribed. */
export async function setTranscript(world: Recorded, of: Of, transcript: string): Promise<void> {
  await storeOf(world)
    .updateTable('message')
    .set({ type: 'audio', transcript })
    .where((eb) => eb.and({ ...whose(of), direction: 'in' }))
    .execute()
}

/** Binds a message to the reply of the assistant that it is a part of. */
export async function makePartOfReply(world: Recorded, id: string, replyId: string): Promise<void> {
  await storeOf(world).updateTable('message').set({ replyId }).where('id', '=', id).execute()
}

/** Deletes the messages of a conversation, so that no later test sends them. */
export async function deleteMessages(
  world: Recorded,
  { conversationId }: { conversationId: string },
): Promise<void> {
  await storeOf(world).deleteFrom('message').where('conversationId', '=', conversationId).execute()
}

export async function deleteMessage(world: Recorded, id: string): Promise<void> {
  await storeOf(world).deleteFrom('message').where('id', '=', id).execute()
}

/** Repeats a message `count` times, under ids and texts that are numbered from one. */
export async function repeatMessage(
  world: Recorded,
  id: string,
  count: number,
  {
    text = (nth) => String(nth),
    shownEveryMs = 0,
  }: { text?: (nth: number) => string; shownEveryMs?: number } = {},
): Promise<void> {
  const message = await messageOf(world, id)
  const rows = Array.from({ length: count }, (_, at) => ({
    ...message,
    id: `${id}_${at + 1}`,
    providerMessageId: `${message.providerMessageId}:${at + 1}`,
    text: text(at + 1),
    shownAt: message.shownAt && new Date(message.shownAt.getTime() + (at + 1) * shownEveryMs),
  }))
  for (let from = 0; from < rows.length; from += 500) {
    await storeOf(world)
      .insertInto('message')
      .values(rows.slice(from, from + 500))
      .execute()
  }
}
