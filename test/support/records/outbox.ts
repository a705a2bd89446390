/** Messages that wait to be sent, and what a node does with them. */
import { newIdOf, nowOf, storeOf, type FieldsOf, type Recorded } from './records.ts'
import { addMessage } from './messages.ts'

/** The conversation that a new message is added to. */
type Where = { companyId: string; channelId: string; conversationId: string }

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
    lane: 1,
    attempt: 1,
    sendKey: newIdOf(world),
    ...more,
  })

/** Lets a node claim a message that it is about to send, with another text when one is given. */
export async function claimMessage(
  world: Recorded,
  id: string,
  { leaseMs = 60_000, text }: { leaseMs?: number; text?: string } = {},
): Promise<void> {
  await storeOf(world)
    .updateTable('message')
    .set({
      status: 'sending',
      ...(text !== undefined && { text }),
      claimId: newIdOf(world),
      claimedUntil: new Date(nowOf(world).getTime() + leaseMs),
    })
    .where('id', '=', id)
    .execute()
}

/** Puts a message that was sent into the outbox again, due then. */
export async function queueAgain(
  world: Recorded,
  id: string,
  { dueAt }: { dueAt: Date },
): Promise<void> {
  await storeOf(world)
    .updateTable('message')
    .set({ status: 'queued', outbound: '{}', dueAt, lane: 3, attempt: 1 })
    .where('id', '=', id)
    .execute()
}

/** Ends a send with a status, as the answer of its provider does. */
export async function settleMessage(world: Recorded, id: string, status: string): Promise<void> {
  await storeOf(world)
    .updateTable('message')
    .set({ status, dueAt: null, claimId: null, claimedUntil: null })
    .where('id', '=', id)
    .execute()
}

/** Cancels all that waits to be sent. */
export async function cancelQueued(
  world: Recorded,
  { companyId }: { companyId: string },
): Promise<void> {
  await storeOf(world)
    .updateTable('message')
    .set({ status: 'cancelled', dueAt: null, claimId: null, claimedUntil: null })
    .where('companyId', '=', companyId)
    .where('status', '=', 'queued')
    .execute()
}
