/** Conversations: who they are with, who handles them and since when a customer waits. */
import { identityOf } from './identifiers.ts'
import type { Company, FieldsOf, Recorded, RecordOf } from './records.ts'
import { add, insert, newIdOf, nowOf, only, read, readOne, remove, update } from './records.ts'

export type ConversationRecord = RecordOf<'conversation'>

type Of = { companyId?: string; channelId?: string; contactId?: string | null }
type Where = Company & { channelId: string }

/** Returns the conversations of a company, channel or contact, in the order in which they began. */
export const conversationsOf = (world: Recorded, { companyId, channelId, contactId }: Of) =>
  read(world, 'conversation', { companyId, channelId, contactId }, 'createdAt', 'id')

export const conversationOf = (world: Recorded, id: string) =>
  readOne(world, 'conversation', { id })

/** Returns the only conversation of a company, channel or contact. @throws Error when there are several. */
export const onlyConversation = async (world: Recorded, of: Of) =>
  only(await conversationsOf(world, of))

/** Returns the conversation that began last. */
export async function newestConversation(world: Recorded, of: Of): Promise<ConversationRecord> {
  const newest = (await conversationsOf(world, of)).at(-1)
  if (!newest) throw new Error('There is no conversation.')
  return newest
}

/**
 * Returns the conversation with a customer.
 * @param customer A phone number with its `+`, or the id under which the channel files the customer.
 */
export async function conversationWith(
  world: Recorded,
  { companyId, channelId }: Pick<Of, 'companyId' | 'channelId'>,
  customer: string,
): Promise<ConversationRecord> {
  const filedUnder = customer.replace(/^\+/, '')
  return readOne(world, 'conversation', { companyId, channelId, filedUnder })
}

/** Adds a conversation without messages. Returns its id. */
export async function addConversation(
  world: Recorded,
  { companyId, channelId }: Where,
  more: FieldsOf<'conversation'> = {},
): Promise<string> {
  const id = more.id ?? `c_${newIdOf(world)}`
  const begun = { channelType: 'whatsapp', filedUnder: id, createdAt: nowOf(world) }
  const identityId = more.contactId
    ? (more.identityId ?? (await identityOf(world, { companyId }, more.contactId)))
    : null
  return add(world, 'conversation', { ...begun, ...more, identityId, id, companyId, channelId })
}

/** Adds conversations without messages, in few statements. */
export async function addConversations(
  world: Recorded,
  { companyId, channelId }: Where,
  count: number,
): Promise<void> {
  const like = { companyId, channelId, channelType: 'whatsapp', createdAt: nowOf(world) }
  const rows = Array.from({ length: count }, () => {
    const id = `c_${newIdOf(world).replaceAll('-', '')}`
    return { ...like, id, filedUnder: id }
  })
  await insert(world, 'conversation', ...rows)
}

/** Sets a conversation's state without an event: who handles it, who waits, when the customer wrote. */
export const putConversation = (world: Recorded, id: string, state: FieldsOf<'conversation'>) =>
  update(
    world,
    'conversation',
    { id },
    { ...state, ...(state.contactId === null && { identityId: null }) },
  )

/** Resolves all conversations of a company or channel without an event. */
export const resolveConversations = (
  world: Recorded,
  { companyId, channelId }: Pick<Of, 'companyId' | 'channelId'>,
) => {
  const resolved = { status: 'resolved', needsStaff: false, waitingSince: null }
  return update(world, 'conversation', { companyId, channelId }, resolved)
}

/** Deletes the pending look-up of the name of a conversation's customer. */
export const forgetNameToAsk = (world: Recorded, conversationId: string) =>
  remove(world, 'profileLookup', { conversationId })
