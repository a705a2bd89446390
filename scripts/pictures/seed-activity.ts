/**
 * Activity in the demonstration's shop before the pictures, so that no page is empty. It makes accepted and refused
 * requests, a failing endpoint, appointments, an import with faults, a job, and an invitation, through the API as a
 * signed-in Owner.
 */
import type { APIRequestContext } from 'playwright-core'
import type { Started } from '../../src/start.ts'
import type { ChannelType } from '../../src/core/vocabulary/channels.ts'
import { seedConversations, type SeededReplies } from './seed-conversations.ts'

/** Ids of the created objects that pages show, and the token of an invitation, which is returned only once. */
export type SeededIds = {
  conversation: string
  import: string
  action: string
  lead: string
  appointment: string
  /** A channel of each type. */
  channelOf: Readonly<Partial<Record<ChannelType, string>>>
  template: string
  invitationToken: string
} & SeededReplies

type Row = { id: string; name: string | null }
type Rows = { items: Row[] }
/** A function that sends a request to the API as the Owner. A path without a leading slash is below the company. */
export type Ask = <Answer>(method: string, path: string, data?: unknown) => Promise<Answer>

/** Customers with unassigned phone numbers. */
const CUSTOMERS = [
  { name: 'Sara', phone: '+12025550143', language: 'en' },
  { name: 'ليان السالم', phone: '+12025550171', language: 'ar' },
  { name: 'Omar Khalid', phone: '+12025550172', language: 'en' },
]
const DAY_MS = 86_400_000
const SETTLING_MS = 6_000

/** Creates a function that sends requests to the API, and throws for a response that is no success. */
export function createAsk(request: APIRequestContext, origin: string, company: string): Ask {
  return async (method, path, data) => {
    const at = path.startsWith('/') ? path : `/companies/${company}/${path}`
    const answer = await request.fetch(`${origin}/api${at}`, {
      method,
      headers: {
        origin,
        'content-type': typeOf(data),
      },
      ...(data !== undefined && { data }),
    })
    const text = await answer.text()
    if (!answer.ok()) throw new Error(`${method} ${at}: ${answer.status()} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
}

function typeOf(data: unknown): string {
  if (Buffer.isBuffer(data)) return 'application/octet-stream'
  return typeof data === 'string' ? 'text/csv' : 'application/json'
}

/**
 * Plays activity of a few customers and members through the API, so that the screenshots show data. Returns the ids of
 * what the pages show.
 */
export async function seedActivity(started: Started, ask: Ask): Promise<SeededIds> {
  const { port, demonstration } = started
  const { hookToken, statusHookToken } = demonstration!
  const hooks = `http://127.0.0.1:${port}/hooks`
  const working = await addFailingEndpoint(ask)
  for (const [nth, customer] of CUSTOMERS.entries()) {
    const body = { customer, order: { number: String(1_041 + nth) } }
    await post(`${hooks}/${hookToken}`, body, body.order.number)
    await post(`${hooks}/${statusHookToken}`, body, body.order.number)
  }
  await book(ask)
  await addDuplicates(ask)
  await post(`${hooks}/${hookToken}`, { customer: { mobile: '0501234567' }, order: {} }, 'refused')
  await startBroadcast(ask)
  const imported = await importContacts(ask)
  const action = await tryAction(ask)
  await addSegmentAndReply(ask)
  const { token } = await ask<{ token: string }>('POST', '/invitations', {
    email: 'salma@example.com',
    role: 'agent',
  })
  const conversation = await answerConversation(ask)
  const channelOf = await connectOtherChannels(ask)
  const withAssistant = await seedConversations(started, ask)
  const first = async (path: string) => (await ask<Rows>('GET', path)).items[0]!.id
  await new Promise((resolve) => setTimeout(resolve, SETTLING_MS))
  await ask('POST', 'resend-jobs', {
    kind: 'resend',
    endpointId: working,
    filter: { type: 'contact.created' },
  })
  return {
    conversation,
    import: imported,
    action,
    lead: await first('leads'),
    appointment: await first('appointments'),
    channelOf,
    ...withAssistant,
    template: await first('templates'),
    invitationToken: token,
  }
}

async function post(url: string, body: unknown, key: string): Promise<void> {
  await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': `order-${key}` },
    body: JSON.stringify(body),
  })
}

/**
 * Adds an endpoint with the receiver's address and another secret, so that its deliveries are refused.
 * @returns the id of the endpoint that works.
 */
async function addFailingEndpoint(ask: Ask): Promise<string> {
  const { items } = await ask<{ items: { id: string; url: string }[] }>('GET', 'endpoints')
  await ask('POST', 'endpoints', {
    name: 'Warehouse',
    url: items[0]!.url.replace('/webhooks/wasla', '/warehouse'),
    eventTypes: ['message.received', 'flow.completed', 'appointment.booked', 'contact.created'],
  })
  return items[0]!.id
}

/** Books appointments in the coming days, three of each service, and cancels the last of them. */
async function book(ask: Ask): Promise<void> {
  const { items: services } = await ask<Rows>('GET', 'services')
  const { items: contacts } = await ask<Rows>('GET', 'contacts')
  const from = new Date()
  const to = new Date(from.getTime() + 6 * DAY_MS)
  for (const [nth, { id: serviceId }] of services.entries()) {
    const { items: slots } = await ask<{ items: { startsAt: string }[] }>(
      'GET',
      `slots?serviceId=${serviceId}&from=${from.toISOString()}&to=${to.toISOString()}`,
    )
    for (const [place, at] of [1, 7, 17].entries()) {
      const slot = slots[at + nth * 3]
      if (!slot) continue
      const { id } = await ask<Row>('POST', 'appointments', {
        key: `pictured-appointment-${nth}-${place}`,
        serviceId,
        startsAt: slot.startsAt,
        contactId: contacts[(place + nth * 2) % contacts.length]!.id,
      })
      if (place === 2 && nth === 0) await ask('POST', `appointments/${id}/cancel`, {})
    }
  }
}

/** Adds two pairs of contacts that look like duplicates. */
async function addDuplicates(ask: Ask): Promise<void> {
  const phones = ['+966501234561', '+966501234562']
  for (const phone of phones) await ask('POST', 'contacts', { name: 'هند العتيبي', phone })
  const email = 'lina@example.com'
  await ask('POST', 'contacts', { name: 'Lina Haddad', email, phone: '+962791234567' })
  await ask('POST', 'contacts', { name: 'Lina H.', email })
}

async function startBroadcast(ask: Ask): Promise<void> {
  const { items } = await ask<Rows>('GET', 'broadcasts')
  await ask('POST', `broadcasts/${items[0]!.id}/start`, {})
}

async function importContacts(ask: Ask): Promise<string> {
  const rows = ['ليان السالم,+12025550170,الرياض', 'Omar Nasser,12 34,Dammam', ',,جدة']
  const { id } = await ask<Row>(
    'POST',
    'contact-imports?name=customers.csv',
    `Name,Phone,City\n${rows.join('\n')}\n`,
  )
  await ask('POST', `contact-imports/${id}/check`, {
    columns: { name: 'Name', phone: 'Phone', 'fields.city': 'City' },
  })
  return id
}

/** Tries the order look-up action once. */
async function tryAction(ask: Ask): Promise<string> {
  const { items } = await ask<{ items: { id: string; toolName: string }[] }>('GET', 'actions')
  const { id } = items.find(({ toolName }) => toolName === 'order_status')!
  await ask('POST', `actions/${id}/test`, { args: { number: '1043' } })
  return id
}

/** Adds a segment and a canned reply. */
async function addSegmentAndReply(ask: Ask): Promise<void> {
  await ask('POST', 'segments', { name: 'كبار العملاء', filter: { tags: ['vip'] } })
  await ask('POST', 'canned-replies', {
    shortcut: 'hours',
    text: 'We are open from Sunday to Thursday, 9:00 to 18:00.',
  })
}

/** Connects the channels that the demonstration leaves out. */
async function connectOtherChannels(ask: Ask): Promise<SeededIds['channelOf']> {
  await ask('POST', 'channels', {
    type: 'voice',
    name: 'Telephone',
    credentials: { provider: 'retell', secret: 'key_of_the_demonstration' },
  })
  await ask('POST', 'channels', {
    type: 'whatsapp_qr',
    name: 'Second number',
    credentials: {},
    acceptsRisk: true,
  })
  const { items } = await ask<{ items: { id: string; type: ChannelType }[] }>('GET', 'channels')
  return Object.fromEntries(items.map(({ type, id }) => [type, id]))
}

/** Answers the first waiting conversation as staff, and adds a note. */
async function answerConversation(ask: Ask): Promise<string> {
  const { items } = await ask<{ items: { id: string; turn: number }[] }>(
    'GET',
    'conversations?tab=unassigned',
  )
  const { id, turn } = items[0]!
  await ask('POST', `conversations/${id}/take-over`, { turn })
  await ask('POST', `conversations/${id}/notes`, { text: 'اتصلت بالمستودع، القطعة متوفرة.' })
  await ask('POST', `conversations/${id}/messages`, {
    key: 'pictured-answer-of-ours',
    text: 'أهلًا بك، نرسل لك الصور والأسعار خلال ساعة.',
  })
  return id
}
