import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askHook, ORDER } from '../support/ask-hook.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
})
afterAll(() => world.close())

let serial = 0
/** An order of a customer that nobody has met. */
function newOrder() {
  serial += 1
  return {
    ...ORDER,
    customer: { ...ORDER.customer, phone: `+9665012340${String(serial).padStart(2, '0')}` },
  }
}

const count = async (table: 'flowRun' | 'contact' | 'conversation' | 'message' | 'event') => {
  const { count: rows } = await world.database.db.kysely
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return rows
}

describe('Start an automation', () => {
  test('a valid request passing all checks answers 202 accepted with the run id', async () => {
    const answer = await askHook(shop.hookUrl, newOrder())
    expect(answer).toEqual({
      http: 202,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'accepted',
      detail: null,
    })
    const run = await world.database.db.kysely
      .selectFrom('flowRun')
      .selectAll()
      .where('id', '=', answer.id!)
      .executeTakeFirstOrThrow()
    expect(run).toMatchObject({ status: 'queued', triggerKind: 'webhook', language: 'en' })
    expect(JSON.parse(run.variables)).toEqual({ order: '1043' })
  })

  test('contact found or created (new contact tagged `webhook`), conversation found or created', async () => {
    const order = newOrder()
    const before = { contacts: await count('contact'), conversations: await count('conversation') }
    await askHook(shop.hookUrl, order)
    await askHook(shop.hookUrl, order)
    expect(await count('contact')).toBe(before.contacts + 1)
    expect(await count('conversation')).toBe(before.conversations + 1)
    const contact = await world.database.db.kysely
      .selectFrom('contact')
      .selectAll()
      .where('phone', '=', order.customer.phone)
      .executeTakeFirstOrThrow()
    expect(contact).toMatchObject({ name: 'Sara', tags: ['webhook'], language: 'en' })
  })

  systemTest(
    '`conversation.started` and `contact.created` fire once, in the accepting transaction',
    async () => {
      const order = newOrder()
      const before = world.receiver.received.length
      await askHook(shop.hookUrl, order)
      await askHook(shop.hookUrl, order)
      const types = await world.database.db.kysely.selectFrom('event').select('type').execute()
      expect(types.length).toBeGreaterThan(0)
      await deliverOnly()
      const events = world.receiver.received.slice(before).map((delivery) => delivery.event)
      const of = (type: string) =>
        events.filter(
          (event) =>
            event.type === type &&
            JSON.stringify(event.data).includes(order.customer.phone.slice(1)),
        )
      expect(of('contact.created')).toHaveLength(1)
      expect(of('conversation.started')).toHaveLength(1)
      expect(of('conversation.started')[0]!.data).toEqual({
        conversation: {
          id: expect.any(String),
          channelId: shop.channelId,
          channelType: 'whatsapp',
        },
        contact: {
          id: expect.any(String),
          name: 'Sara',
          phone: order.customer.phone,
          whatsAppId: order.customer.phone.slice(1),
        },
      })
    },
  )

  test('a repeat key answers 200 duplicate with the first run’s id', async () => {
    const key = { 'idempotency-key': 'order-1' }
    const first = await askHook(shop.hookUrl, newOrder(), key)
    const again = await askHook(shop.hookUrl, newOrder(), { 'idempotency-key': '  order-1 ' })
    expect(first.http).toBe(202)
    expect(again).toMatchObject({ http: 200, status: 'duplicate', id: first.id })
  })

  test('two simultaneous requests with one key: one 202, the others 200 with the same id', async () => {
    const runs = await count('flowRun')
    const order = newOrder()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        // Half of them name another customer: the key decides, not the customer's lock.
        askHook(shop.hookUrl, index % 2 ? order : newOrder(), { 'idempotency-key': 'at-once' }),
      ),
    )
    expect(answers.filter((answer) => answer.http === 202)).toHaveLength(1)
    expect(answers.filter((answer) => answer.http === 200)).toHaveLength(19)
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(1)
    expect(await count('flowRun')).toBe(runs + 1)
  })

  test('without a key, every accepted request starts a run', async () => {
    const order = newOrder()
    const first = await askHook(shop.hookUrl, order)
    const second = await askHook(shop.hookUrl, order)
    expect(second.http).toBe(202)
    expect(second.id).not.toBe(first.id)
  })

  test.each([
    ['not JSON', '{"customer":', 400, 'invalid_json'],
    ['a scalar', '"hello"', 400, 'invalid_json'],
    ['empty', '', 400, 'invalid_json'],
    ['without a phone', '{"customer":{}}', 422, 'invalid_phone'],
    ['with an unreadable phone', '{"customer":{"phone":"call me"}}', 422, 'invalid_phone'],
    ['over 64 KB', JSON.stringify({ filler: 'x'.repeat(65_536) }), 413, 'payload_too_large'],
  ])('a body that is %s starts nothing', async (_, body, http, status) => {
    const before = { runs: await count('flowRun'), contacts: await count('contact') }
    expect(await askHook(shop.hookUrl, body)).toMatchObject({ http, status, id: null })
    expect({ runs: await count('flowRun'), contacts: await count('contact') }).toEqual(before)
  })

  test('a body of exactly 65,536 bytes is accepted', async () => {
    const order = newOrder()
    const short = JSON.stringify({ ...order, filler: '' })
    const body = JSON.stringify({ ...order, filler: 'x'.repeat(65_536 - short.length) })
    expect(Buffer.byteLength(body)).toBe(65_536)
    expect(await askHook(shop.hookUrl, body)).toMatchObject({ http: 202 })
  })

  test('a body not sent as `application/json` is 415, also when it is compressed', async () => {
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    ]) {
      expect(await askHook(shop.hookUrl, ORDER, headers)).toMatchObject({
        http: 415,
        status: 'unsupported_media_type',
      })
    }
    const order = newOrder()
    const json = { 'content-type': 'Application/Vnd.Shop+JSON; charset=utf-8' }
    expect(await askHook(shop.hookUrl, order, json)).toMatchObject({ http: 202 })
  })

  test('no hook has this token: 404 not_found, whatever the path looks like', async () => {
    for (const path of ['', '/', '/hook_', `/hook_${'x'.repeat(43)}`, `/${shop.hookToken}/more`]) {
      expect(await askHook(`${world.url}/hooks${path}`)).toMatchObject({
        http: 404,
        status: 'not_found',
      })
    }
  })

  test('any method but POST is 405 with `Allow: POST`', async () => {
    const response = await fetch(shop.hookUrl)
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
    expect(await response.json()).toMatchObject({ status: 'method_not_allowed', id: null })
    const head = await fetch(shop.hookUrl, { method: 'HEAD' })
    expect(head.status).toBe(405)
  })

  test('the token appears in no log', () => {
    expect(world.logged.join('\n')).not.toMatch(/hook_[A-Za-z0-9_-]{37,}/)
  })
})

describe('Order of checks', () => {
  test.each([
    ['the plan lacks the developer API', { plan: 'pro' }, 403, 'not_in_plan'],
    ['the number is not connected', { isConnected: false }, 409, 'channel_unavailable'],
  ] as const)('%s', async (_, options, http, status) => {
    const other = await createShop(world, { ...options, phoneNumberId: `other-${http}-${status}` })
    expect(await askHook(other.hookUrl, newOrder())).toMatchObject({ http, status, id: null })
  })

  test('a flow that is switched off answers 409 flow_off', async () => {
    const other = await createShop(world, { phoneNumberId: 'off' })
    await world.database.db.kysely
      .updateTable('flow')
      .set({ isOn: false })
      .where('id', '=', other.flowId)
      .execute()
    expect(await askHook(other.hookUrl, newOrder())).toMatchObject({
      http: 409,
      status: 'flow_off',
    })
  })

  test('a customer who opted out answers 409 opted_out, and the key stays unused', async () => {
    const order = newOrder()
    const key = { 'idempotency-key': 'after-opt-out' }
    await askHook(shop.hookUrl, order)
    const setOptOut = (at: Date | null) =>
      world.database.db.kysely
        .updateTable('contact')
        .set({ optedOutAt: at })
        .where('phone', '=', order.customer.phone)
        .execute()
    await setOptOut(world.clock.now())
    expect(await askHook(shop.hookUrl, order, key)).toMatchObject({
      http: 409,
      status: 'opted_out',
      id: null,
    })
    await setOptOut(null)
    expect(await askHook(shop.hookUrl, order, key)).toMatchObject({ http: 202 })
  })
})

/** Delivers what is due; the runs' templates have nowhere to go in this file. */
async function deliverOnly() {
  await world.service.processAll()
}
