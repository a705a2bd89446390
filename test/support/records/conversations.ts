/** Conversations: who they are with, who handles them and since when a customer waits. */
import {
  given,
  newIdOf,
  nowOf,
  only,
  storeOf,
  type FieldsOf,
  type Recorded,
  type RecordOf,
} from './records.ts'

export type ConversationRecord = RecordOf<'conversation'>

type Of = { companyId?: string; channelId?: string; contactId?: string | null }

/** Returns the conversations of a company, channel or contact, in the order in which they began. */
export const conversationsOf = (world: Recorded, { companyId, channelId, contactId }: Of) =>
  storeOf(world)
    .selectFrom('conversation')
    .selectAll()
    .where((eb) => eb.and(given({ companyId, channelId, contactId })))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

export const conversationOf = (world: Recorded, id: string): Promise<ConversationRecord> =>
  storeOf(world)
    .selectFrom('conversation')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** Returns the only conversation of a company, channel or contact. @throws Error when there are several. */
export const onlyConversation = async (world: Recorded, of: Of): Promise<ConversationRecord> =>
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
export const conversationWith = (
  world: Recorded,
  { companyId, channelId }: Pick<Of, 'companyId' | 'channelId'>,
  customer: string,
): Promise<ConversationRecord> =>
  storeOf(world)
    .selectFrom('conversation')
    .selectAll()
    .where((eb) => eb.and(given({ companyId, channelId })))
    .where('filedUnder', '=', customer.replace(/^\+/, ''))
    .executeTakeFirstOrThrow()

/** Adds a conversation that nobody has written in. Returns its id. */
export async function addConversation(
  world: Recorded,
  { companyId, channelId }: { companyId: string; channelId: string },
  more: FieldsOf<'conversation'> = {},
): Promise<string> {
  const id = more.id ?? `c_${newIdOf(world)}`
  await storeOf(world)
    .insertInto('conversation')
    .values({
      channelType: 'whatsapp',
      filedUnder: id,
      createdAt: nowOf(world),
      ...more,
      id,
      companyId,
      channelId,
    })
    .execute()
  return id
}

/** Adds conversations that nobody has written in, in one statement. */
export async function addConversations(
  world: Recorded,
  { companyId, channelId }: { companyId: string; channelId: string },
  count: number,
): Promise<void> {
  const createdAt = nowOf(world)
  const rows = Array.from({ length: count }, () => {
    const id = `c_${newIdOf(world).replaceAll('-', '')}`
    return { id, companyId, channelId, channelType: 'whatsapp', filedUnder: id, createdAt }
  })
  await storeOf(world).insertInto('conversation').values(rows).execute()
}

/** Sets a conversation's state without an event: who handles it, who waits, when the customer wrote. */
export async function putConversation(
  world: Recorded,
  id: string,
  state: Partial<
    Pick<
      ConversationRecord,
      | 'handledBy'
      | 'assigneeId'
      | 'needsStaff'
      | 'waitingSince'
      | 'status'
      | 'resolvedAt'
      | 'resolvedBy'
      | 'lastCustomerAt'
      | 'lastMessageAt'
      | 'serviceWindowEndsAt'
      | 'takenOverAt'
      | 'takenOverUntil'
      | 'language'
      | 'visitorName'
      | 'visitorEmail'
    >
  >,
): Promise<void> {
  await storeOf(world).updateTable('conversation').set(state).where('id', '=', id).execute()
}

/** Resolves all conversations of a company or channel without an event. */
export async function resolveConversations(
  world: Recorded,
  { companyId, channelId }: Pick<Of, 'companyId' | 'channelId'>,
): Promise<void> {
  await storeOf(world)
    .updateTable('conversation')
    .set({ status: 'resolved', needsStaff: false, waitingSince: null })
    .where((eb) => eb.and(given({ companyId, channelId })))
    .execute()
}
