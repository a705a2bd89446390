/** Runs of flows and the steps that they took. */
import {
  add,
  insert,
  newIdOf,
  nowOf,
  read,
  readOne,
  remove,
  update,
  type Company,
  type FieldsOf,
  type Recorded,
  type RecordOf,
} from './records.ts'
import { putMessage } from './messages.ts'

export type RunRecord = RecordOf<'flowRun'>

type Of = {
  companyId?: string
  channelId?: string
  contactId?: string
  conversationId?: string
  flowId?: string
}

export const runOf = (world: Recorded, runId: string) => readOne(world, 'flowRun', { id: runId })

/** Returns the runs of a company, channel, contact, conversation or flow, in the order in which they began. */
export const runsOf = (
  world: Recorded,
  { companyId, channelId, contactId, conversationId, flowId }: Of,
) => {
  const of = { companyId, channelId, contactId, conversationId, flowId }
  return read(world, 'flowRun', of, 'createdAt', 'id')
}

/** Adds a run of the company's flow that waits for its customer. Returns its id. */
export const addRun = (
  world: Recorded,
  flow: Company & { channelId: string; flowId: string; versionId: string },
  more: FieldsOf<'flowRun'> & { conversationId: string },
): Promise<string> => {
  const { companyId, channelId, flowId, versionId: flowVersionId } = flow
  const of = { companyId, channelId, flowId, flowVersionId }
  const waiting = { triggerKind: 'manual', status: 'waiting', createdAt: nowOf(world) }
  return add(world, 'flowRun', { ...waiting, ...more, ...of })
}

/** Sets where a run is, without taking a step: for states that a crash leaves and no request reaches. */
export const putRun = (world: Recorded, runId: string, state: FieldsOf<'flowRun'>) =>
  update(world, 'flowRun', { id: runId }, state)

export const deleteRun = (world: Recorded, runId: string) => remove(world, 'flowRun', { id: runId })

/** Returns the steps that a run took, in their order. */
export const runStepsOf = (world: Recorded, runId: string) =>
  read(world, 'flowRunStep', { runId }, 'number')

/** Returns what customers wrote to a run and when the run read it, in the order in which it came. */
export const repliesTo = (world: Recorded, runId: string) =>
  read(world, 'flowRunReply', { runId }, 'receivedAt', 'messageId')

/** Makes a message of the customer one that a run has read. */
export const addReplyToRun = (
  world: Recorded,
  { companyId }: Company,
  { runId, messageId }: { runId: string; messageId: string },
) => insert(world, 'flowRunReply', { runId, messageId, companyId, receivedAt: nowOf(world) })

/** Repeats a run `count` times, as far as it has come: in its conversation, or each in one of its own with nobody. */
export async function repeatRun(
  world: Recorded,
  runId: string,
  count: number,
  { ownConversations = false } = {},
): Promise<void> {
  const run = await runOf(world, runId)
  const { companyId, channelId, createdAt } = run
  const copies = Array.from({ length: count }, () => {
    const id = newIdOf(world)
    const own = ownConversations ? { conversationId: `c_${id}`, contactId: null } : {}
    return { ...run, id, idempotencyKey: null, ...own }
  })
  if (ownConversations) {
    const of = { companyId, channelId, channelType: 'whatsapp', createdAt }
    const talks = copies.map(({ conversationId: id }) => ({ id, filedUnder: id, ...of }))
    await insert(world, 'conversation', ...talks)
  }
  await insert(world, 'flowRun', ...copies)
}

/** Ends every run of every company, without an event. */
export async function endEveryRun(world: Recorded): Promise<void> {
  const over = { waitKind: null, waitUntil: null, wakeAt: null, claimId: null, claimedUntil: null }
  const ended = { status: 'cancelled', endedAt: nowOf(world), ...over }
  await update(world, 'flowRun', { endedAt: null }, ended)
}

/** Adds a step that a run has begun, as a crash in the middle of it leaves it. */
export const addRunStep = (
  world: Recorded,
  { runId, companyId }: Company & { runId: string },
  step: FieldsOf<'flowRunStep'> & { stepId: string; kind: string },
) => {
  const begun = { number: 1, status: 'started', startedAt: nowOf(world) }
  return insert(world, 'flowRunStep', { ...begun, ...step, runId, companyId })
}

/** Puts a run back to where a worker leaves it that dies after it began to send a message, and before the answer. */
export async function dieInSend(
  world: Recorded,
  { runId, stepId, messageId }: { runId: string; stepId: string; messageId: string },
  leaseMs: number,
): Promise<void> {
  const now = nowOf(world)
  const unknown = { providerMessageId: null, sentAt: null, deliveredAt: null }
  await putMessage(world, messageId, { status: 'sending', ...unknown })
  await update(world, 'flowRunStep', { runId }, { status: 'started', endedAt: null })
  const claim = { claimId: newIdOf(world), claimedUntil: new Date(now.getTime() + leaseMs) }
  const atWork = { waitKind: null, waitUntil: null, wakeAt: now, ...claim }
  await putRun(world, runId, { status: 'running', stepId, ...atWork })
}
