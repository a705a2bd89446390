/**
 * What can be wrong with what Meta's products post, the same of each: told twice, told late, told in 4 MB that
 * mean nothing, told by somebody else. Each message is there once, and nobody is answered with a fault of ours.
 * Telegram's and calls' own addresses have the same beside their adapters.
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
/** WhatsApp writes otherwise than the two others, which write alike. */
const ASKED: readonly Type[] = IS_FULL_SIZE ? TYPES : ['whatsapp', 'messenger']

/** A channel and how its provider writes. */
type Posted = {
  companyId: string
  channelId: string
  secret: string
  /** What a customer wrote, as one post. */
  message(said: { id: string; text: string; at: Date }): object
  /** That they have read what has this id. */
  read(id: string, at: Date): object
  /** That it reached them; null where that is never told. */
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
/** Whole seconds: no provider tells more, or all do. */
const instant = (afterMs = 0) =>
  new Date(Math.floor(world.clock.now().getTime() / SECOND_MS) * SECOND_MS + afterMs)
const said = (text: string, at = instant()) => ({ id: `mid.${(serial += 1)}`, text, at })
const textsIn = (type: Type) =>
  textsOf(world, { channelId: channels[type].channelId, direction: 'in' })
/** Everything that a post leaves in the company: what was said, and what is told of it. */
const kept = async (type: Type) => [
  await textsIn(type),
  await eventTypesOf(world, { companyId: channels[type].companyId }),
]
const count = async (type: Type, event: string) =>
  (await eventTypesOf(world, { companyId: channels[type].companyId }, event)).length

describe.each(ASKED)('%s', (type) => {
  test('what is posted again, later and at once, is there once and told of once', async () => {
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

  test('what comes in the wrong order is all there, and the newest word counts', async () => {
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

  test('a receipt that is overtaken by a later one takes nothing back', async () => {
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
  ])('4 MB of %s are refused without a fault of ours, signed or not', async (_, made) => {
    const body = made(type)
    for (const header of [undefined, () => null, () => `sha256=${'0'.repeat(64)}`]) {
      expect([400, 401, 413]).toContain(await post(type, body, header))
    }
    world.clock.advance(MINUTE_MS)
    expect(await post(type, channels[type].message(said('still here')))).toBe(200)
  })

  systemTest('a message among 4 MB of what we do not know is read', async () => {
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
  ])('that is forged leaves nothing: %s', async (_, forge) => {
    const before = await kept(type)
    expect(await post(type, channels[type].message(said('forged')), forge)).toBe(401)
    expect(await kept(type)).toEqual(before)
    world.clock.advance(MINUTE_MS)
  })
  const ours = (bytes: Buffer) => signMetaWebhook(bytes, channels[type].secret)

  test('another channel’s secret signs nothing for this one', async () => {
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
