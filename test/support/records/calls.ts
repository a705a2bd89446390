/** Calls of merchants' APIs: the log of them, how many a day, and the connections and actions that make them. */
import { authColumns } from '../../../src/modules/connections/create-connection.ts'
import type { ConnectionAuth } from '../../../src/contract/dashboard/connection.ts'
import type { Account, Company, FieldsOf, Recorded, WithKeys } from './records.ts'
import {
  add,
  insert,
  insertOrUpdate,
  newIdOf,
  nowOf,
  read,
  readFirst,
  readOne,
  remove,
  today,
  update,
} from './records.ts'

type Connection = { connectionId: string }

/** Returns how many calls an account made on each day that is still counted, the first day first. */
export const callsByDay = async (world: Recorded, { accountId }: Account): Promise<number[]> =>
  (await read(world, 'callDay', { accountId }, 'day')).map(({ made }) => made)

export const setCallsToday = (world: Recorded, { accountId }: Account, made: number) => {
  const day = { accountId, day: nowOf(world), made }
  return insertOrUpdate(world, 'callDay', ['accountId', 'day'], day, { made })
}

/** Returns the logged calls of a company, the first one first. */
export const callsOf = (world: Recorded, { companyId }: Company) =>
  read(world, 'callLog', { companyId }, 'id')

/** Sets how long the calls of a connection took: the first attempts, or the retries. */
export const setDuration = (
  world: Recorded,
  { connectionId }: Connection,
  isRepeat: boolean,
  durationMs: number,
) => update(world, 'callLog', { connectionId, isRepeat }, { durationMs })

/** Returns a connection as it is stored, deleted or not. */
export const connectionOf = (world: Recorded, { connectionId }: Connection) =>
  readOne(world, 'apiConnection', { id: connectionId })

/** Sets what is stored of a connection, past the checks of the API. */
export const putConnection = (
  world: Recorded,
  { connectionId }: Connection,
  set: FieldsOf<'apiConnection'>,
) => update(world, 'apiConnection', { id: connectionId }, set)

/** Gives a connection another credential, past the checks of the API. */
export const setAuth = (
  world: WithKeys,
  { companyId, connectionId }: Connection & Company,
  auth: ConnectionAuth,
) => {
  const columns = authColumns(world.service.keyRing, { id: connectionId, companyId }, auth)
  return putConnection(world, { connectionId }, columns)
}

/** Deletes a connection past the checks of the API, also where something uses it. */
export const deleteConnection = (world: Recorded, connection: Connection) =>
  putConnection(world, connection, { deletedAt: nowOf(world), isOn: false, credential: null })

/** Adds calls to the log of a connection, made now one after the other: of an action where one is named, else of a flow. */
export async function addCalls(
  world: Recorded,
  { companyId, connectionId }: Connection & Company,
  ...calls: { error: string | null; status?: number; actionId?: string; isRepeat?: boolean }[]
): Promise<void> {
  for (const { actionId, isRepeat = false, ...call } of calls) {
    const made = { method: 'GET', host: 'shop.example', path: '/', durationMs: 5, isRepeat }
    const by = { source: actionId === undefined ? 'step' : 'action', actionId: actionId ?? null }
    const of = { id: newIdOf(world), companyId, connectionId, startedAt: nowOf(world) }
    await insert(world, 'callLog', { ...of, ...by, ...made, ...call })
  }
}

/** Adds an AI action without parameters that goes through a connection, and returns its id. */
export async function addAction(
  world: Recorded,
  { companyId }: Company,
  { connectionId }: Connection,
): Promise<string> {
  const now = nowOf(world)
  const isSet = { definition: '{}', needsConfirmation: true, isOn: true, toolName: 'saved' }
  const of = { companyId, connectionId }
  return add(world, 'aiAction', { ...of, ...isSet, createdAt: now, updatedAt: now })
}

/** Returns how many actions the assistant has called for each customer of a company, by day. */
export const actionsByDay = async (world: Recorded, { companyId }: Company) =>
  (await read(world, 'actionDay', { companyId }, 'day', 'customer')).map(({ customer, calls }) => ({
    customer,
    calls,
  }))

/** Switches the actions of a company's assistant on or off, all of them or one. */
export const switchActions = (
  world: Recorded,
  { companyId, id }: Company & { id?: string },
  isOn: boolean,
) => update(world, 'aiAction', { companyId, id }, { isOn })

/** Deletes every action of every company: one has at most 20. */
export const deleteActions = (world: Recorded) => remove(world, 'aiAction', 'all')

/** Sets how many actions the assistant has called today for one customer of a company. */
export const setActionsToday = (
  world: Recorded,
  { companyId }: Company,
  customer: string,
  calls: number,
) => {
  const used = { companyId, customer, day: today(world), calls }
  return insertOrUpdate(world, 'actionDay', ['companyId', 'customer', 'day'], used, { calls })
}

/** Returns how many actions one reply of the assistant has called, or undefined when it is not counted. */
export const actionsOfReply = async (world: Recorded, replyId: string) =>
  (await readFirst(world, 'actionReply', { replyId }))?.calls

/** Sets how many actions one reply of the assistant has called, and how long they took. */
export const putActionsOfReply = (
  world: Recorded,
  { companyId, replyId }: Company & { replyId: string },
  used: { calls?: number; usedMs?: number },
) => {
  const reply = { companyId, replyId, startedAt: nowOf(world), calls: 0, ...used }
  return insertOrUpdate(world, 'actionReply', ['companyId', 'replyId'], reply, used)
}

/** Returns what an action has proposed, or undefined when it is not kept any more. */
export const proposalOf = (world: Recorded, id: string) =>
  readFirst(world, 'actionProposal', { id })
