/** Events that the service raised, whether or not an endpoint received them. */
import type { WebhookEnvelope } from '../../../src/contract/webhook-envelope.ts'
import { given, storeOf, type Recorded } from './records.ts'

type Of = {
  companyId?: string
  conversationId?: string
  contactId?: string
  runId?: string
}

/** Returns the events of a company, conversation, contact or run, in the order in which they were raised. */
export const eventsOf = (world: Recorded, { companyId, conversationId, contactId, runId }: Of) =>
  storeOf(world)
    .selectFrom('event')
    .selectAll()
    .where((eb) => eb.and(given({ companyId, conversationId, contactId, runId })))
    .orderBy('id')
    .execute()

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
