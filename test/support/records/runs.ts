/** Runs of flows and the steps that they took. */
import type { Company, FieldsOf, Recorded, RecordOf } from './records.ts'
import {
  add,
  insert,
  newIdOf,
  nowOf,
  only,
  read,
  readOne,
  remove,
  storeOf,
  update,
} from './records.ts'

type InQueue = { [Name in 'dueAt' | 'claimId' | 'leaseExpiresAt']: RecordOf<'runQueue'>[Name] }
type PutInQueue = {
  [Name in keyof InQueue]?: FieldsOf<'runQueue'>[Name] | null | undefined
}
export type RunRecord = RecordOf<'flowRun'> & InQueue
type Put = FieldsOf<'flowRun'> & PutInQueue

const NOT_QUEUED: InQueue = { dueAt: null, claimId: null, leaseExpiresAt: null }

async function withPlaces(world: Recorded, runs: RecordOf<'flowRun'>[]): Promise<RunRecord[]> {
  const ids = runs.map(({ id }) => id)
  const queued = await storeOf(world)
    .selectFrom('runQueue')
    .selectAll()
    .where('id', '=', ({ fn, val }) => fn.any(val(ids)))
    .execute()
  const byId = new Map(queued.map((row) => [row.id, row]))
  return runs.map((run) => {
    const { dueAt, claimId, leaseExpiresAt } = byId.get(run.id) ?? NOT_QUEUED
    return { ...run, dueAt, claimId, leaseExpiresAt }
  })
}

type Of = {
  companyId?: string
  channelId?: string
  contactId?: string
  conversationId?: string
  flowId?: string
}

export const runOf = async (world: Recorded, runId: string): Promise<RunRecord> =>
  only(await withPlaces(world, [await readOne(world, 'flowRun', { id: runId })]))

/** Returns the runs of a company, channel, contact, conversation or flow, in the order in which they began. */
export const runsOf = async (
  world: Recorded,
  { companyId, channelId, contactId, conversationId, flowId }: Of,
): Promise<RunRecord[]> => {
  const of = { companyId, channelId, contactId, conversationId, flowId }
  return withPlaces(world, await read(world, 'flowRun', of, 'createdAt', 'id'))
}

/** Adds a run of the company's flow that waits for its customer. Returns its id. */
export const addRun = async (
  world: Recorded,
  flow: Company & { channelId: string; flowId: string; versionId: string },
  { dueAt, claimId, leaseExpiresAt, ...more }: Put & { conversationId: string },
): Promise<string> => {
  const { companyId, channelId, flowId, versionId: flowVersionId } = flow
  const of = { companyId, channelId, flowId, flowVersionId }
  const waiting = { triggerKind: 'manual', status: 'waiting', createdAt: nowOf(world) }
  const id = await add(world, 'flowRun', { ...waiting, ...more, ...of })
  await putRun(world, id, { dueAt, claimId, leaseExpiresAt })
  return id
}

/** Sets where a run is, without taking a step: for states that a crash leaves and no request reaches. */
export async function putRun(
  world: Recorded,
  runId: string,
  { dueAt, claimId, leaseExpiresAt, ...state }: Put,
): Promise<void> {
  if (Object.keys(state).length > 0) await update(world, 'flowRun', { id: runId }, state)
  const said = Object.entries({ dueAt, claimId, leaseExpiresAt }).filter(
    ([, value]) => value !== undefined,
  )
  const run = await runOf(world, runId)
  const place = { ...run, ...Object.fromEntries(said) }
  await remove(world, 'runQueue', { id: runId })
  if (run.endedAt !== null || (place.dueAt === null && place.claimId === null)) return
  const lease = { claimId: place.claimId, leaseExpiresAt: place.leaseExpiresAt }
  const of = { id: runId, companyId: run.companyId, isNew: run.status === 'queued' }
  await insert(world, 'runQueue', { ...of, dueAt: place.dueAt, ...lease })
}

export async function deleteRun(world: Recorded, runId: string): Promise<void> {
  await remove(world, 'runQueue', { id: runId })
  await remove(world, 'flowRun', { id: runId })
}

/** Returns the steps that a run took, in their order. */
export const runStepsOf = (world: Recorded, runId: string) =>
  read(world, 'flowRunStep', { runId }, 'number')

/** Returns what customers wrote to a run and when the run read it, in the order of arrival. */
export const repliesTo = (world: Recorded, runId: string) =>
  read(world, 'flowRunReply', { runId }, 'receivedAt', 'messageId')

/** Makes a message of the customer one that a run has read. */
export const addReplyToRun = (
  world: Recorded,
  { companyId }: Company,
  { runId, messageId }: { runId: string; messageId: string },
) => insert(world, 'flowRunReply', { runId, messageId, companyId, receivedAt: nowOf(world) })

/**
 * Repeats a run `count` times, as far as it has come: in the same conversation, or each in a new one without a
 * customer.
 */
export async function repeatRun(
  world: Recorded,
  runId: string,
  count: number,
  { ownConversations = false } = {},
): Promise<void> {
  const { dueAt, claimId, leaseExpiresAt, ...run } = await runOf(world, runId)
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
  if (dueAt === null && claimId === null) return
  const place = { companyId, isNew: run.status === 'queued', dueAt, claimId, leaseExpiresAt }
  await insert(world, 'runQueue', ...copies.map(({ id }) => ({ ...place, id })))
}

/** Ends every run of every company, without an event. */
export async function endEveryRun(world: Recorded): Promise<void> {
  const over = { waitKind: null, waitUntil: null }
  const ended = { status: 'cancelled', endedAt: nowOf(world), ...over }
  await update(world, 'flowRun', { endedAt: null }, ended)
  await remove(world, 'runQueue', 'all')
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
