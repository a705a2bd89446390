/** Messages of conversations, in both directions. */
import type { Company, FieldsOf, Recorded, RecordOf } from './records.ts'
import { add, given, insert, newIdOf, nowOf, read, readOne, remove, update } from './records.ts'

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
export type Where = Company & { channelId: string; conversationId: string }

const whose = (of: Of) => {
  const { companyId, channelId, conversationId, runId, replyId, broadcastId } = of
  const those = given({ companyId, channelId, conversationId, runId, replyId, broadcastId })
  return { ...those, direction: of.direction, sender: of.sender }
}

/** Returns the messages of a company, channel, conversation, run, reply or broadcast, oldest first. */
export const messagesOf = async (world: Recorded, of: Of) =>
  read(world, 'message', whose(of), 'occurredAt', 'attempt', 'arrival')

/** Returns what the messages say, oldest first. */
export const textsOf = async (world: Recorded, of: Of) =>
  (await messagesOf(world, of)).map(({ text }) => text)

export const messageOf = (world: Recorded, id: string) => readOne(world, 'message', { id })

export const messageAtProvider = (world: Recorded, providerMessageId: string) =>
  readOne(world, 'message', { providerMessageId })

/** Adds a message that the provider has accepted from staff, or what the test says of it. Returns its id. */
export function addMessage(
  world: Recorded,
  { companyId, channelId, conversationId }: Where,
  more: FieldsOf<'message'> = {},
): Promise<string> {
  const id = more.id ?? `o_${newIdOf(world).replaceAll('-', '')}`
  const now = nowOf(world)
  const said =
    more.direction === 'in' ? { sender: 'customer' } : { sender: 'staff', status: 'accepted' }
  const times = { occurredAt: now, createdAt: now }
  const message = { direction: 'out', type: 'text', ...said, ...times, ...more }
  return add(world, 'message', {
    ...withoutGenerated(message),
    id,
    companyId,
    channelId,
    conversationId,
  })
}

/** Returns a message without the columns that PostgreSQL fills in, so that it can be inserted again. */
function withoutGenerated<Message extends FieldsOf<'message'>>(message: Message) {
  const { broadcastStatus: _, templateFailedAt: __, ...stored } = message
  return stored
}

/** Sets what is known of a message that was sent: a status without the report of a provider. */
export const setMessageStatus = async (world: Recorded, of: Of & { id?: string }, status: string) =>
  update(world, 'message', of.id === undefined ? whose(of) : { id: of.id }, { status })

/** Sets what is stored of a message, past the order in which the service does it. */
export const putMessage = (world: Recorded, id: string, state: FieldsOf<'message'>) =>
  update(world, 'message', { id }, state)

/** Sets the id under which the provider knows a message, which may be one that it does not know. */
export const setProviderMessageId = (
  world: Recorded,
  id: string,
  providerMessageId: string | null,
) => putMessage(world, id, { providerMessageId })

/** Makes a customer's messages voice notes that were transcribed. */
export const setTranscript = async (world: Recorded, of: Of, transcript: string) =>
  update(world, 'message', whose({ ...of, direction: 'in' }), { type: 'audio', transcript })

/** Binds a message to the reply of the assistant that it is a part of. */
export const makePartOfReply = (world: Recorded, id: string, replyId: string) =>
  putMessage(world, id, { replyId })

/** Deletes the messages of a conversation, so that no later test sends them. */
export const deleteMessages = (world: Recorded, { conversationId }: { conversationId: string }) =>
  remove(world, 'message', { conversationId })

export const deleteMessage = (world: Recorded, id: string) => remove(world, 'message', { id })

/**
 * Repeats a message `count` times, under ids and texts that are numbered from one, optionally as imported
 * messages.
 */
export async function repeatMessage(
  world: Recorded,
  id: string,
  count: number,
  {
    text = (nth) => String(nth),
    shownEveryMs = 0,
    isImported,
  }: { text?: (nth: number) => string; shownEveryMs?: number; isImported?: boolean } = {},
): Promise<void> {
  const message = await messageOf(world, id)
  const rows = Array.from({ length: count }, (_, at) => ({
    ...withoutGenerated(message),
    id: `${id}_${at + 1}`,
    providerMessageId: `${message.providerMessageId}:${at + 1}`,
    text: text(at + 1),
    isImported: isImported ?? message.isImported,
    shownAt: message.shownAt && new Date(message.shownAt.getTime() + (at + 1) * shownEveryMs),
  }))
  await insert(world, 'message', ...rows)
}
