/** Handovers of conversations, and the entries of their timelines. */
import { add, nowOf, read, type Company, type FieldsOf, type Recorded } from './records.ts'

/** Returns the handovers of a conversation, oldest first. */
export const handoversOf = (world: Recorded, conversationId: string) =>
  read(world, 'handover', { conversationId }, 'openedAt')

/** Adds a handover to a conversation, open unless it was closed. */
export async function addHandover(
  world: Recorded,
  { companyId, conversationId }: Company & { conversationId: string },
  more: FieldsOf<'handover'> = {},
): Promise<void> {
  const opened = { reason: 'missing_information', openedAt: nowOf(world) }
  await add(world, 'handover', { ...opened, ...more, companyId, conversationId })
}

/** Adds a line to a conversation's timeline that is no message. */
export async function addEntry(
  world: Recorded,
  of: Company & { conversationId: string },
  more: FieldsOf<'conversationEntry'> & { kind: string },
): Promise<void> {
  const entry = { actorKind: 'assistant', at: nowOf(world), ...more, ...of }
  await add(world, 'conversationEntry', entry)
}

/** Returns the entries of a conversation's timeline that are no messages, oldest first. */
export const entriesOf = (world: Recorded, conversationId: string) =>
  read(world, 'conversationEntry', { conversationId }, 'id')
