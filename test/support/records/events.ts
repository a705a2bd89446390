/** Events that the service raised, whether or not an endpoint received them. */
import type { WebhookEnvelope } from '../../../src/contract/webhook-envelope.ts'
import { insert, read, remove, storeOf, update, type Recorded, type RecordOf } from './records.ts'

type Of = {
  companyId?: string
  conversationId?: string
  contactId?: string
  runId?: string
}

/** Returns the events of a company, conversation, contact or run, in the order in which they were raised. */
export const eventsOf = (world: Recorded, { companyId, conversationId, contactId, runId }: Of) =>
  read(world, 'event', { companyId, conversationId, contactId, runId }, 'id')

/** Returns the types of the same events. `kind` keeps the types that begin with it. */
export const eventTypesOf = async (world: Recorded, of: Of, kind = '') =>
  (await eventsOf(world, of)).map(({ type }) => type).filter((type) => type.startsWith(kind))

/** Returns the same events as endpoints receive them. */
export async function envelopesOf(world: Recorded, of: Of): Promise<WebhookEnvelope[]> {
  const events = await eventsOf(world, of)
  if (events.length === 0) return []
  const bodies = await storeOf(world)
    .selectFrom('eventBody')
    .select('body')
    .where(
      'id',
      'in',
      events.map(({ id }) => id),
    )
    .orderBy('id')
    .execute()
  return bodies.map(({ body }) => JSON.parse(body.toString('utf8')) as WebhookEnvelope)
}

/** Returns the events of a company, in the order in which they were raised, each with what endpoints receive. */
export async function eventsWithBodies(world: Recorded, { companyId }: { companyId: string }) {
  const events = await storeOf(world)
    .selectFrom('event')
    .innerJoin('eventBody', 'eventBody.id', 'event.id')
    .select(['event.id', 'event.type', 'eventBody.body'])
    .where('event.companyId', '=', companyId)
    .orderBy('event.id')
    .execute()
  return events.map(({ id, type, body }) => {
    return { id, type, envelope: JSON.parse(body.toString('utf8')) as WebhookEnvelope }
  })
}

/** Gives a body to the event of a delivery that was added without one. */
export const addBody = (world: Recorded, { bodyId, apiVersion }: RecordOf<'webhookDelivery'>) =>
  insert(world, 'eventBody', { id: bodyId, apiVersion, body: Buffer.from('{}') })

/** Deletes the body of an event, as a backup without it or a fault does. */
export const loseBody = (world: Recorded, id: string) => remove(world, 'eventBody', { id })

/** Replaces the body of an event, which is shown and would be sent again. */
export const rewriteBody = (world: Recorded, id: string, body: object) =>
  update(world, 'eventBody', { id }, { body: Buffer.from(JSON.stringify(body)) })
