/** Messages that wait to be sent, and what a node does with them. */
import { newIdOf, nowOf, update, type Company, type FieldsOf, type Recorded } from './records.ts'
import { addMessage, putMessage, type Where } from './messages.ts'

/** Adds a message that waits in the outbox to be sent from now on. Returns its id. */
export const addQueuedMessage = (
  world: Recorded,
  where: Where,
  more: FieldsOf<'message'> = {},
): Promise<string> =>
  addMessage(world, where, {
    status: 'queued',
    dueAt: nowOf(world),
    outbound: JSON.stringify({ kind: 'text', text: more.text ?? 'Yes' }),
    priority: 1,
    attempt: 1,
    sendKey: more.runId ? `${more.runId}:${newIdOf(world)}` : newIdOf(world),
    ...more,
  })

/** Lets a node claim a message that it is about to send, with another text when one is given. */
export const claimMessage = (
  world: Recorded,
  id: string,
  { leaseMs = 60_000, text }: { leaseMs?: number; text?: string } = {},
) =>
  putMessage(world, id, {
    status: 'sending',
    ...(text !== undefined && { text }),
    claimId: newIdOf(world),
    leaseExpiresAt: new Date(nowOf(world).getTime() + leaseMs),
  })

/** Puts a message that was sent into the outbox again, due then. */
export const queueAgain = (world: Recorded, id: string, { dueAt }: { dueAt: Date }) =>
  putMessage(world, id, { status: 'queued', outbound: '{}', dueAt, priority: 3, attempt: 1 })

const SETTLED = { dueAt: null, claimId: null, leaseExpiresAt: null }

/** Ends a send with a status, as the answer of its provider does. */
export const settleMessage = (world: Recorded, id: string, status: string) =>
  putMessage(world, id, { status, ...SETTLED })

/** Cancels all that waits to be sent. */
export const cancelQueued = (world: Recorded, { companyId }: Company) =>
  update(world, 'message', { companyId, status: 'queued' }, { status: 'cancelled', ...SETTLED })
