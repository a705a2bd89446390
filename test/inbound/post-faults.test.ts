/**
 * Faults in the posts of Meta's products, each tested with all of them: repeated, late, 4 MB without meaning,
 * or from another sender. Each message is stored once, and no response is an internal error. The tests of
 * Telegram's and calls' own routes are next to their adapters.
 *
 * Spec: Concepts › Message; Events › Types.
 */
import { describe, expect, test } from 'vitest'
import { signMetaWebhook, type Product } from '../../simulators/index.ts'
import { PROVIDER_LIMITS } from '../../src/core/limits/messaging.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { IS_FULL_SIZE } from '../support/full-size.ts'
import { addMessage, messageOf, textsOf } from '../support/records/messages.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { onlyConversation } from '../support/records/conversations.ts'
import { openWorld } from '../support/open-world.ts'
import { openMessaging, PAGE_SECRET } from '../support/messaging.ts'
import { APP_SECRET, createShop } from '../support/shop.ts'
import { receipt, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

const TYPES = ['whatsapp', 'messenger', 'instagram'] as const
type Type = (typeof TYPES)[number]
/** WhatsApp's format differs from that of the two others, which are alike. */
const ASKED: readonly Type[] = IS_FULL_SIZE ? TYPES : ['whatsapp', 'messenger']

/** A channel, and the format of its provider. */
type Posted = {
  companyId: string
  channelId: string
  secret: string
  /** Returns one post with a message of a customer. */
  message(said: { id: string; text: string; at: Date }): object
  /** Returns a receipt: the customer has read the message with this id. */
  read(id: string, at: Date): object
  /** Returns a receipt: the message has arrived. Null where the provider has no such receipt. */
  delivered(id: string, at: Date): object | null
}

const world = await openWorld()
const played = await openMessaging(world)
const channels: Record<Type, Posted> = {
  whatsapp: await whatsApp(),
  messenger: await page('messenger'),
  instagram: await page('instagram'),
}

async function page(product: Product): Promise<Posted> {
  const { route, ...shop } = await played[product].openShop()
  const object = product === 'messenger' ? 'page' : 'instagram'
  const from = { sender: { id: '200000000000001' }, recipient: { id: route } }
  const bodyOf = (at: Date, item: object) => ({
    object,
    entry: [{ id: route, time: 1, messaging: [{ ...from, timestamp: at.getTime(), ...item }] }],
  })
  return {
    ...shop,
    secret: PAGE_SECRET,
    message: ({ id, text, at }) => bodyOf(at, { message: { mid: id, text } }),
    read: (id, at) =>
      bodyOf(at, { read: product === 'messenger' ? { watermark: at.getTime() } : { mid: id } }),
    delivered: (id, at) =>
      product === 'messenger'
        ? bodyOf(at, { delivery: { mids: [id], watermark: at.getTime() } })
        : null,
  }
}

async function whatsApp(): Promise<Posted> {
  const shop = await createShop(world)
  const status = (id: string, at: Date, word: string) => {
    const timestamp = String(at.getTime() / SECOND_MS)
    return webhookOf(shop, [receipt({ id, status: word, timestamp, recipient_id: '16505551234' })])
  }
  return {
    ...shop,
    secret: APP_SECRET,
    message: (said) => webhookOf(shop, [written({ from: '16505551234', ...said })]),
    read: (id, at) => status(id, at, 'read'),
    delivered: (id, at) => status(id, at, 'delivered'),
  }
}

async function post(
  type: Type,
  body: object | string | Buffer,
  header?: (bytes: Buffer) => string | null,
): Promise<number> {
  const plain = typeof body === 'string' || Buffer.isBuffer(body)
  const bytes = Buffer.from(plain ? body : JSON.stringify(body))
  const signature = header ? header(bytes) : signMetaWebhook(bytes, channels[type].secret)
  const response = await fetch(`${world.url}/webhooks/${type}`, {
    method: 'POST',
    headers: signature === null ? {} : { 'x-hub-signature-256': signature },
    body: new Uint8Array(bytes),
  })
  await response.arrayBuffer()
  return response.status
}

const NOTHING = Array.from({ length: 400_000 }, () => ({}))
let serial = 0
/** Whole seconds: some providers report no more. */
const instant = (afterMs = 0) =>
  new Date(Math.floor(world.clock.now().getTime() / SECOND_MS) * SECOND_MS + afterMs)
const said = (text: string, at = instant()) => ({ id: `mid.${(serial += 1)}`, text, at })
const textsIn = (type: Type) =>
  textsOf(world, { channelId: channels[type].channelId, direction: 'in' })
/** Returns everything that a post leaves in the company: messages and events. */
const kept = async (type: Type) => [
  await textsIn(type),
  await eventTypesOf(world, { companyId: channels[type].companyId }),
]
const count = async (type: Type, event: string) =>
  (await eventTypesOf(world, { companyId: channels[type].companyId }, event)).length

describe.each(ASKED)('%s', (type) => {
  test('a message that is posted again, later and concurrently, is stored once and raises one event', async () => {
    const { message } = channels[type]
    const body = message(said('twice'))
    const before = await count(type, 'message.received')
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(type, body)))
    answers.push(await post(type, body))
    expect(answers).toEqual([200, 200, 200, 200, 200])
    expect((await textsIn(type)).filter((text) => text === 'twice')).toHaveLength(1)
    expect((await count(type, 'message.received')) - before).toBe(1)
    expect(await count(type, 'conversation.started')).toBe(1)
    expect(await count(type, 'contact.created')).toBe(1)
  })

  test('messages that arrive in the wrong order are all stored, and the newest one counts', async () => {
    const { message, channelId } = channels[type]
    const newest = instant(20 * SECOND_MS)
    world.clock.advance(MINUTE_MS)
    for (const [text, at] of [
      ['order 3', newest],
      ['order 1', instant(-50 * SECOND_MS)],
      ['order 2', instant(-45 * SECOND_MS)],
    ] as const) {
      expect(await post(type, message(said(text, at)))).toBe(200)
    }
    expect((await textsIn(type)).filter((text) => text!.startsWith('order'))).toHaveLength(3)
    const { lastCustomerAt } = await onlyConversation(world, { channelId })
    expect(lastCustomerAt).toEqual(newest)
  })

  test('a receipt that arrives after a later one undoes nothing', async () => {
    const { read, delivered, channelId, companyId } = channels[type]
    const sentId = `mid.sent.${type}`
    const { id: conversationId } = await onlyConversation(world, { channelId })
    const where = { companyId, channelId, conversationId }
    const id = await addMessage(world, where, { providerMessageId: sentId, occurredAt: instant() })
    const receipts = [
      read(sentId, instant(9 * SECOND_MS)),
      delivered(sentId, instant(5 * SECOND_MS)),
      read(sentId, instant(9 * SECOND_MS)),
    ]
    for (const one of receipts) if (one) expect(await post(type, one)).toBe(200)
    expect((await messageOf(world, id)).status).toBe('read')
  })

  systemTest.each<[string, (type: Type) => string | Buffer | object]>([
    ['brackets', () => '['.repeat(PROVIDER_LIMITS.webhookBytes)],
    ['bytes that are no text', () => Buffer.alloc(PROVIDER_LIMITS.webhookBytes, 0xff)],
    ['entries of nothing', (of) => ({ ...channels[of].message(said('x')), entry: NOTHING })],
  ])('4 MB of %s are refused without an internal error, signed or not', async (_, made) => {
    const body = made(type)
    for (const header of [undefined, () => null, () => `sha256=${'0'.repeat(64)}`]) {
      expect([400, 401, 413]).toContain(await post(type, body, header))
    }
    world.clock.advance(MINUTE_MS)
    expect(await post(type, channels[type].message(said('still here')))).toBe(200)
  })

  systemTest('a message among 4 MB of unknown data is read', async () => {
    const { message } = channels[type]
    const body = { padding: 'x'.repeat(4_190_000), ...message(said('in the middle')) }
    expect(await post(type, body)).toBe(200)
    expect(await textsIn(type)).toContain('in the middle')
    expect(await post(type, { ...body, more: 'x'.repeat(100_000) })).toBe(413)
  })
})

describe.each(TYPES)('a signature for %s', (type) => {
  const other = (secret: string) => (bytes: Buffer) => signMetaWebhook(bytes, secret)
  test.each<[string, (bytes: Buffer) => string | null]>([
    ['none', () => null],
    ['of another app', other('secret of another app')],
    ['over another body', (bytes) => ours(Buffer.concat([bytes, Buffer.from(' ')]))],
    ['by another name', (bytes) => ours(bytes).replace('sha256', 'sha1')],
  ])('is refused when it is forged, and leaves nothing: %s', async (_, forge) => {
    const before = await kept(type)
    expect(await post(type, channels[type].message(said('forged')), forge)).toBe(401)
    expect(await kept(type)).toEqual(before)
    world.clock.advance(MINUTE_MS)
  })
  const ours = (bytes: Buffer) => signMetaWebhook(bytes, channels[type].secret)

  test('made with another channel’s secret is refused', async () => {
    const before = await textsIn(type)
    const strangers = TYPES.filter((one) => channels[one].secret !== channels[type].secret)
    for (const stranger of strangers) {
      const forge = other(channels[stranger].secret)
      expect(await post(type, channels[type].message(said('forged')), forge)).toBe(401)
    }
    expect(strangers.length).toBeGreaterThan(0)
    expect(await textsIn(type)).toEqual(before)
  })
})
