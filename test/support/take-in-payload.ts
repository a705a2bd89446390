import { readRoutes } from '../../src/channels/whatsapp/peek-routes.ts'
import { signWhatsAppWebhook } from '../../src/channels/whatsapp/signature.ts'
import { APP_SECRET, createShop, type Shop } from './shop.ts'
import type { WhatsAppPayload, WhatsAppPayloads } from './whatsapp-payloads.ts'
import type { World } from './world.ts'

/** What a payload has led to, without the ids that are made for each. */
export type TakenIn = {
  messages: unknown[]
  isOptOutRaised: boolean
  /** Events that are neither a message's nor a contact's; only asked of payloads without a message. */
  otherEvents: string[]
  imported: number
  ofOwnerApp: number
}

/**
 * Posts a recorded payload, signed, to a shop of its own, after those that came before it. Returns
 * what it led to beside what its index says it must.
 * @throws when the service does not answer 200.
 */
export async function takeInPayload(
  world: World,
  { business, payloads }: WhatsAppPayloads,
  payload: WhatsAppPayload,
): Promise<{ actual: TakenIn; expected: TakenIn }> {
  const { pool, kysely } = world.database.db
  // Each payload meets a shop of its own: the number is free again for the next one.
  await pool.query(`update channel set provider_route = id::text, provider_account = id::text`)
  const shop = await createShop(world, {
    phoneNumberId: business.phone_number_id,
    businessAccountId: readRoutes(payload.rawBody).accounts[0] ?? business.waba_id,
  })
  for (const before of payload.after) {
    await post(
      world,
      payloads.find((other) => other.file === before)!,
    )
  }
  await world.service.processAll()
  const earlier = world.receiver.received.length
  await post(world, payload)
  await world.service.processAll()
  const events = world.receiver.received.slice(earlier).map((delivery) => delivery.event)
  const stored = await kysely
    .selectFrom('message')
    .selectAll()
    .where('channelId', '=', shop.channelId)
    .execute()
  const hasMessages = payload.expect.messageReceived.length > 0
  return {
    actual: {
      messages: events
        .filter((event) => event.type === 'message.received')
        .map((event) => withoutIds(event.data)),
      isOptOutRaised: events.some((event) => event.type === 'contact.opted_out'),
      otherEvents: hasMessages
        ? []
        : events.map((event) => event.type).filter((type) => !type.startsWith('contact.')),
      imported: stored.filter((message) => message.isImported).length,
      ofOwnerApp: stored.filter(({ sender, isImported }) => sender === 'owner_app' && !isImported)
        .length,
    },
    expected: expectedOf(payload, shop),
  }
}

function expectedOf({ expect: wanted }: WhatsAppPayload, shop: Shop): TakenIn {
  return {
    messages: wanted.messageReceived.map(({ contact, message }) => ({
      conversation: { id: 'made', channelId: shop.channelId, channelType: 'whatsapp' },
      contact: { id: 'made', ...contact },
      message: { id: 'made', ...message },
    })),
    isOptOutRaised: wanted.messageReceived.find(({ optOut }) => optOut)?.optOut === 'out',
    otherEvents: [],
    imported: wanted.imported ?? 0,
    ofOwnerApp: wanted.outbound?.length ?? 0,
  }
}

async function post(world: World, payload: WhatsAppPayload): Promise<void> {
  const response = await fetch(`${world.url}/webhooks/whatsapp`, {
    method: 'POST',
    headers: { 'x-hub-signature-256': signWhatsAppWebhook(payload.rawBody, APP_SECRET) },
    body: payload.rawBody as Uint8Array<ArrayBuffer>,
  })
  if (response.status !== 200) throw new Error(`${payload.file} was answered ${response.status}`)
}

const MADE = /^(?:c_[0-9a-f]{32}|m_[\w-]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Each object's own `id` is `made` when it has the form of one of ours. */
function withoutIds(data: object): unknown {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]: [string, { id?: unknown }]) => [
      name,
      typeof value.id === 'string' && MADE.test(value.id) ? { ...value, id: 'made' } : value,
    ]),
  )
}
