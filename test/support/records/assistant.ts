/** Replies of the assistant. */
import { countEach } from './any-table.ts'
import { addConversation, conversationOf } from './conversations.ts'
import type { Company, FieldsOf, Recorded, RecordOf } from './records.ts'
import {
  add,
  insert,
  insertOrUpdate,
  newIdOf,
  nowOf,
  read,
  readOne,
  remove,
  update,
} from './records.ts'

export type ReplyRecord = RecordOf<'assistantReply'>

export const replyOf = (world: Recorded, replyId: string) =>
  readOne(world, 'assistantReply', { id: replyId })

/** Adds a reply that the assistant is thinking about. Returns its id. */
export function addReply(
  world: Recorded,
  { companyId, conversationId }: Company & { conversationId: string },
  more: FieldsOf<'assistantReply'> = {},
): Promise<string> {
  const now = nowOf(world)
  const message = { firstMessageId: 'm', lastMessageId: 'm', notedAt: now }
  const reply = { state: 'thinking', ...message, startedAt: now, ...more }
  return add(world, 'assistantReply', { ...reply, companyId, conversationId })
}

/** Sets where a reply is, as a process leaves it that dies before the end of it. */
export const putReply = (world: Recorded, replyId: string, state: FieldsOf<'assistantReply'>) =>
  update(world, 'assistantReply', { id: replyId }, state)

/** Leaves a reply as a process does that dies between the provider's answer and the end of the reply. */
export const leaveSending = (
  world: Recorded,
  replyId: string,
  more: FieldsOf<'assistantReply'> = {},
): Promise<void> => {
  const goesOn = { endReason: null, endedAt: null, completesOnAccept: true, dueAt: nowOf(world) }
  return putReply(world, replyId, { state: 'sending', ...goesOn, ...more })
}

/** Releases the replies of a conversation from the process that has claimed them, as when it is taken for dead. */
export const releaseReplies = (world: Recorded, conversationId: string) =>
  update(world, 'assistantReply', { conversationId }, { claimId: null, leaseExpiresAt: null })

const LEFT_BY_A_REPLY = [
  'contact',
  'conversation',
  'message',
  'event',
  'assistantReply',
  'assistantStep',
  'lead',
  'appointment',
  'handover',
  'promptPart',
  'actionProposal',
] as const

/** Counts the records of all companies that a reply and its steps leave behind, by their kind. */
export const countLeftByReplies = (world: Recorded): Promise<Record<string, number>> =>
  countEach(world, LEFT_BY_A_REPLY)

/** Cancels every reply of every company, so that none of an earlier test is due. */
export const cancelReplies = (world: Recorded) =>
  update(world, 'assistantReply', 'all', {
    state: 'cancelled',
    dueAt: null,
    claimId: null,
    leaseExpiresAt: null,
  })

/** Repeats a reply `count` times, each in a new conversation. */
export async function repeatReply(world: Recorded, replyId: string, count: number): Promise<void> {
  const reply = await replyOf(world, replyId)
  const { companyId, channelId } = await conversationOf(world, reply.conversationId)
  const rows = []
  for (let nth = 0; nth < count; nth += 1) {
    const conversationId = await addConversation(world, { companyId, channelId })
    rows.push({ ...reply, id: newIdOf(world), conversationId })
  }
  await insert(world, 'assistantReply', ...rows)
}

/** Sets up a company's assistant without an event. It is on by default. */
export async function setAssistant(
  world: Recorded,
  { companyId }: Company,
  set: FieldsOf<'assistant'> = {},
): Promise<void> {
  const settings = { isOn: true, ...set }
  const assistant = { updatedAt: nowOf(world), ...settings, companyId }
  await insertOrUpdate(world, 'assistant', ['companyId'], assistant, settings)
}

/** Returns the proposals of a conversation, or of a company, to do something, in the order in which they were made. */
export const proposalsOf = (
  world: Recorded,
  { conversationId, companyId }: { conversationId?: string; companyId?: string },
) => read(world, 'actionProposal', { conversationId, companyId }, 'id')

export const deleteReply = (world: Recorded, replyId: string) =>
  remove(world, 'assistantReply', { id: replyId })

/** Returns the replies of a company's assistant, in the order in which they began. */
export const repliesOf = (world: Recorded, { companyId }: Company) =>
  read(world, 'assistantReply', { companyId }, 'startedAt', 'id')

export const addReplyStep = (
  world: Recorded,
  { companyId, replyId }: Company & { replyId: string },
  more: FieldsOf<'assistantStep'> = {},
) => {
  const step = { epoch: 1, number: 1, kind: 'model', state: 'done', startedAt: nowOf(world) }
  return insert(world, 'assistantStep', { ...step, ...more, companyId, replyId })
}

/** Adds an action that the assistant has proposed in a conversation. It is drafted by default. */
export async function addProposal(
  world: Recorded,
  of: Company & { conversationId: string; actionId: string },
  more: FieldsOf<'actionProposal'> = {},
): Promise<void> {
  const drafted = { revision: 1, arguments: '{}', draftedBy: 'assistant', state: 'drafted' }
  await add(world, 'actionProposal', { ...drafted, createdAt: nowOf(world), ...more, ...of })
}
