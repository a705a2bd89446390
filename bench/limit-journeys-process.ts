/**
 * The yardstick of `e2e.ts`: the smallest program that makes the same journeys over the same tables, with the
 * same provider and receiver. It accepts hooks, sends the template, processes receipts and the customer's tap, ends
 * the run and delivers its five signed events, each kind of work in sets with one statement a set. It has no rules:
 * it counts, looks up, locks, claims and throttles nothing, remembers what it wrote, and an error ends it.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { Agent, request } from 'undici'
import type { Outbound } from '../src/modules/channels/channel-adapter.ts'
import { buildMessage } from '../src/modules/channels/whatsapp/build-message.ts'
import { signMetaWebhook } from '../simulators/index.ts'
import { createClock } from '../src/core/clock.ts'
import { readConfig } from '../src/app/config.ts'
import { createBatcher } from '../src/infra/database/batcher.ts'
import { signWebhook } from '../src/modules/deliveries/signature.ts'
import { encryptionContext } from '../src/modules/endpoints/create-endpoint.ts'
import { createIds, systemRandom } from '../src/core/ids.ts'
import { createKeyRing } from '../src/infra/secrets/key-ring.ts'
import { loadKeys } from '../src/infra/secrets/load-keys.ts'
import { ACCESS_TOKEN, APP_SECRET } from '../test/support/shop.ts'
import { BEGIN, DELIVERED, RECEIPTS, REPLIES, SENT } from './limit-journeys.sql.ts'

const clock = createClock()
const ids = createIds(clock, systemRandom)
const claimId = ids.uuid()
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
pool.on('error', fail)
const query = (name: string, text: string, values: unknown[]) => pool.query({ name, text, values })
const provider = new Agent({ connections: 288 })
const receiver = new Agent({
  connections: 32,
  connect: { ca: readFileSync(process.env.EXTRA_CA_FILE!, 'utf8') },
})
const IN_SET = { maxSize: 128, maxConcurrent: 2 }

function fail(error: unknown): never {
  console.error(error)
  process.exit(1)
}

type Shop = {
  accountId: string
  companyId: string
  channelId: string
  phoneNumberId: string
  flowId: string
  versionId: string
  endpointId: string
  url: string
  secret: string
}

async function readShops(): Promise<Map<string, Shop>> {
  const config = readConfig(process.env, [], import.meta.dirname)
  const keyRing = createKeyRing(loadKeys(config, systemRandom), systemRandom)
  const { rows } = await pool.query<Shop & { token: string; secretId: string }>(`
    select encode(hook_url.token_hash, 'hex') as token, company.account_id as "accountId",
      company.id as "companyId", channel.id as "channelId",
      channel.provider_route as "phoneNumberId", flow.id as "flowId",
      flow.published_version_id as "versionId", endpoint.id as "endpointId", endpoint.url,
      secret.id as "secretId", secret.secret
    from hook_url join flow on flow.id = hook_url.flow_id
      join company on company.id = flow.company_id
      join channel on channel.company_id = company.id
      join endpoint on endpoint.company_id = company.id
      join endpoint_secret secret on secret.endpoint_id = endpoint.id`)
  return new Map(
    rows.map(({ token, secretId, ...shop }) => {
      const secret = keyRing.decrypt(shop.secret, encryptionContext(secretId, shop.companyId))
      return [token, { ...shop, secret }]
    }),
  )
}

type Journey = {
  shop: Shop
  contactId: string
  conversationId: string
  runId: string
  messageId: string
  key: string
  number: string
  outbound: string
}
type Event = {
  shop: Shop
  type: string
  journey: Journey
  id: string
  body: Buffer
  delivery: string
}

const TEMPLATE = {
  kind: 'template' as const,
  name: 'order_ready',
  language: 'ar',
  parameterFormat: 'POSITIONAL' as const,
  body: [
    { name: '1', text: 'Sara' },
    { name: '2', text: '1043' },
  ],
  urlSuffixes: [],
} satisfies Partial<Outbound>
const byProviderId = new Map<string, Journey>()

function eventOf(journey: Journey, type: string, more: object): Event {
  const { shop, contactId, conversationId, number } = journey
  const id = ids.uuid()
  const body = Buffer.from(
    JSON.stringify({
      id: `evt_${id.replaceAll('-', '')}`,
      type,
      apiVersion: '2026-10',
      occurredAt: clock.now().toISOString(),
      company: { id: shop.companyId, name: 'Shop' },
      data: {
        conversation: { id: conversationId, channel: { id: shop.channelId, type: 'whatsapp' } },
        contact: { id: contactId, name: 'Sara', phone: `+${number}`, whatsAppId: number },
        ...more,
      },
    }),
  )
  return { shop, type, journey, id, body, delivery: ids.uuid() }
}

function columnsOf(events: readonly Event[], hasRun: (event: Event) => boolean) {
  return [
    events.map(({ id }) => id),
    events.map(({ shop }) => shop.companyId),
    events.map(({ type }) => type),
    events.map(({ journey }) => journey.conversationId),
    events.map(({ journey }) => journey.contactId),
    events.map((event) => (hasRun(event) ? event.journey.runId : null)),
    events.map(({ body }) => body),
    events.map(({ delivery }) => delivery),
    events.map(({ shop }) => shop.endpointId),
  ]
}

const begin = createBatcher<Journey, void>({
  ...IN_SET,
  maxSize: 64,
  maxConcurrent: 3,
  async run(journeys) {
    const events = journeys.flatMap((journey) => [
      eventOf(journey, 'contact.created', { tags: [], fields: {}, optedOut: false }),
      eventOf(journey, 'conversation.started', {}),
    ])
    await query('begin', BEGIN, [
      clock.now(),
      claimId,
      journeys.map(({ shop }) => shop.accountId),
      journeys.map(({ shop }) => shop.companyId),
      journeys.map(({ shop }) => shop.channelId),
      journeys.map(({ shop }) => shop.flowId),
      journeys.map(({ shop }) => shop.versionId),
      journeys.map(({ contactId }) => contactId),
      journeys.map(({ conversationId }) => conversationId),
      journeys.map(({ runId }) => runId),
      journeys.map(({ messageId }) => messageId),
      journeys.map(({ key }) => key),
      journeys.map(({ number }) => number),
      journeys.map(({ outbound }) => outbound),
      ...columnsOf(events, () => false),
    ])
    for (const journey of journeys) send(journey).catch(fail)
    for (const event of events) deliver(event).catch(fail)
    return []
  },
})

const sent = createBatcher<{ journey: Journey; providerId: string }, void>({
  ...IN_SET,
  async run(all) {
    await query('sent', SENT, [
      clock.now(),
      all.map(({ journey }) => journey.messageId),
      all.map(({ journey }) => journey.runId),
      all.map(({ providerId }) => providerId),
    ])
    return []
  },
})

async function send(journey: Journey) {
  const { statusCode, body } = await request(
    `${process.env.SIMULATOR_URL}/v25.0/${journey.shop.phoneNumberId}/messages`,
    {
      dispatcher: provider,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ACCESS_TOKEN}` },
      body: journey.outbound,
    },
  )
  const said = (await body.json()) as { messages: { id: string }[] }
  if (statusCode !== 200) throw new Error(JSON.stringify(said))
  const providerId = said.messages[0]!.id
  byProviderId.set(providerId, journey)
  await sent.add({ journey, providerId })
}

type Receipt = { id: string; status: string; biz_opaque_callback_data: string }
type Message = {
  id: string
  from_user_id?: string
  button: { text: string }
  context: { id: string }
}
type Fact = { receipt: Receipt } | { message: Message; scopedId: string }
const LATER = ['sent', 'delivered', 'read']

const takeIn = createBatcher<Fact, void>({
  ...IN_SET,
  async run(facts) {
    const furthest = new Map<string, string>()
    for (const fact of facts) {
      if (!('receipt' in fact)) continue
      const { biz_opaque_callback_data: id, status } = fact.receipt
      const known = furthest.get(id)
      if (!known || LATER.indexOf(status) > LATER.indexOf(known)) furthest.set(id, status)
    }
    if (furthest.size > 0) {
      await query('receipts', RECEIPTS, [clock.now(), [...furthest.keys()], [...furthest.values()]])
    }
    const replies = facts.flatMap((fact) => ('message' in fact ? [fact] : []))
    if (replies.length > 0) await takeReplies(replies)
    return []
  },
})

async function takeReplies(replies: { message: Message; scopedId: string }[]) {
  const journeys = replies.map(({ message }) => byProviderId.get(message.context.id)!)
  const events = journeys.flatMap((journey, place) => {
    const { message, scopedId } = replies[place]!
    byProviderId.delete(message.context.id)
    return [
      eventOf(journey, 'contact.updated', { whatsAppId: scopedId }),
      eventOf(journey, 'message.received', { message: { id: message.id, type: 'text' } }),
      eventOf(journey, 'flow.completed', {
        flow: { id: journey.shop.flowId, name: 'Order is ready' },
        run: { id: journey.runId, status: 'completed', variables: { order: '1043' } },
      }),
    ]
  })
  await query('replies', REPLIES, [
    clock.now(),
    claimId,
    journeys.map(({ shop }) => shop.companyId),
    journeys.map(({ shop }) => shop.channelId),
    journeys.map(({ contactId }) => contactId),
    journeys.map(({ conversationId }) => conversationId),
    journeys.map(({ runId }) => runId),
    replies.map(() => `m_${ids.uuid()}`),
    replies.map(({ message }) => message.id),
    replies.map(({ message }) => message.context.id),
    replies.map(({ message }) => message.button.text),
    replies.map(({ scopedId }) => scopedId),
    ...columnsOf(events, ({ type }) => type === 'flow.completed'),
  ])
  for (const event of events) deliver(event).catch(fail)
}

type Attempt = { event: Event; begunAt: Date; ms: number; status: number }
const delivered = createBatcher<Attempt, void>({
  ...IN_SET,
  async run(attempts) {
    await query('delivered', DELIVERED, [
      attempts.map(({ event }) => event.delivery),
      attempts.map(() => ids.uuid()),
      attempts.map(({ event }) => event.shop.companyId),
      attempts.map(({ event }) => event.shop.url),
      attempts.map(({ begunAt }) => begunAt),
      attempts.map(({ ms }) => ms),
      attempts.map(({ status }) => status),
    ])
    return []
  },
})

async function deliver(event: Event) {
  const begunAt = clock.now()
  const { statusCode: status, body } = await request(event.shop.url, {
    dispatcher: receiver,
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Service-Webhooks/1.0',
      'x-service-signature': signWebhook(event.body, [event.shop.secret], begunAt),
      'x-service-event': event.type,
      'x-service-delivery': event.delivery,
    },
    body: event.body,
  })
  await body.dump()
  await delivered.add({ event, begunAt, ms: clock.now().getTime() - begunAt.getTime(), status })
}

/** Answers a hook of a shop, or a webhook of the provider. */
async function answer(incoming: IncomingMessage): Promise<{ status: number; text: string }> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  const raw = Buffer.concat(parts)
  const token = /^\/hooks\/(.+)$/.exec(incoming.url!)?.[1]
  if (!token) {
    const signed = signMetaWebhook(raw, APP_SECRET)
    if (incoming.headers['x-hub-signature-256'] !== signed) return { status: 401, text: '' }
    await Promise.all(factsOf(raw).map((fact) => takeIn.add(fact)))
    return { status: 200, text: '' }
  }
  const shop = shops.get(createHash('sha256').update(token).digest('hex'))!
  const { customer } = JSON.parse(raw.toString()) as { customer: { phone: string } }
  const [number, runId, messageId] = [customer.phone.slice(1), ids.uuid(), `o_${ids.uuid()}`]
  const quickReplies = [0, 1].map((index) => ({ index, payload: `run:${runId}:${index}` }))
  const about = { ourReference: messageId, mediaId: null }
  const outbound = buildMessage({ number }, { ...TEMPLATE, quickReplies }, about)
  await begin.add({
    shop,
    contactId: ids.uuid(),
    conversationId: `c_${ids.uuid()}`,
    runId,
    messageId,
    key: incoming.headers['idempotency-key'] as string,
    number,
    outbound: JSON.stringify(outbound),
  })
  return { status: 202, text: JSON.stringify({ id: runId, status: 'accepted', detail: null }) }
}

function factsOf(raw: Buffer): Fact[] {
  type Value = { statuses?: Receipt[]; messages?: Message[]; contacts?: { user_id: string }[] }
  const payload = JSON.parse(raw.toString()) as { entry: { changes: { value: Value }[] }[] }
  return payload.entry.flatMap(({ changes }) =>
    changes.flatMap(({ value: { statuses = [], messages = [], contacts = [] } }) => [
      ...statuses.map((receipt) => ({ receipt })),
      ...messages.map((message) => ({ message, scopedId: contacts[0]!.user_id })),
    ]),
  )
}

const shops = await readShops()
const server = createServer((incoming, response) => {
  answer(incoming).then(({ status, text }) => response.writeHead(status).end(text), fail)
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(`ready ${port}`)
})
process.on('SIGTERM', () => process.exit(0))
