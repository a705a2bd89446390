/** A delivery as its receiver sees it, its receivers, and what the log keeps of it. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { NewEndpoint } from '../../src/contract/dashboard/endpoint.ts'
import type { DeliveryDetail, DeliveryPage } from '../../src/contract/dashboard/delivery.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { callsByDay, callsOf } from '../support/records/calls.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { postHook } from '../support/post-hook.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { addEndpoint, raisePings } from '../support/deliveries.ts'
import { json, startShopApi } from '../support/shop-api.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

let shop: Shop
let owner: Member
const world = await openWorld()
const server = await startShopApi(world)
afterAll(() => server.close())
beforeEach(async () => {
  shop = await createOwnShop(world, { eventTypes: ['ping', 'contact.created'] })
  owner = await signedIn(world, { accountId: shop.accountId })
})
afterEach(() => {
  server.requests.length = 0
  server.reply(json(200))
})

/** Adds an endpoint of the shop at the server that keeps complete requests. */
const endpointAt = (pathAndQuery: string): Promise<string> =>
  addEndpoint(world, shop, new URL(pathAndQuery, server.baseUrl).href)

/** Returns the newest delivery as the log shows it. */
async function newest(): Promise<DeliveryDetail> {
  const { body: page } = await owner.ask<DeliveryPage>('GET', `${company()}/deliveries`)
  const path = `${company()}/deliveries/${page.items[0]!.id}`
  return (await owner.ask<DeliveryDetail>('GET', path)).body
}

const company = () => `/companies/${shop.companyId}`
const receivedBy = (before: number) => world.receiver.received.slice(before)

describe('A delivery', () => {
  const URLS = ['/in', '/in?source=wasla', '/in?a=1&a=2&b=%20%2F&c', '/%D8%B7?x=%D8%B7']
  test.each(URLS)('is a POST to exactly the registered URL, query included: %s', async (url) => {
    await endpointAt(url)
    await raisePings(world, shop)
    await world.service.processAll()
    expect(server.requests.map((request) => [request.method, request.url])).toEqual([['POST', url]])
  })

  test('is made for no deleted endpoint, though others get the event', async () => {
    const deleted = await addEndpoint(world, shop)
    expect((await owner.ask('DELETE', `${company()}/endpoints/${deleted}`)).status).toBe(204)
    await raisePings(world, shop)
    await world.service.processAll()
    const made = (await deliveriesOf(world, shop)).map(({ endpointId }) => endpointId)
    expect(made).toEqual([shop.endpointId])
  })

  test('has these headers and no others: no cookie and no Authorization, whatever was answered', async () => {
    await endpointAt('/in')
    server.reply((_, response) => {
      const cookie = ['session=1; Path=/', 'other=2']
      response.writeHead(401, { 'set-cookie': cookie, 'www-authenticate': 'Basic' }).end()
    })
    await raisePings(world, shop)
    await world.service.processAll()
    server.reply(json(200))
    world.clock.advance(60_000)
    await world.service.processAll()
    await raisePings(world, shop)
    await world.service.processAll()
    expect(server.requests).toHaveLength(3)
    for (const { headers, body } of server.requests) {
      expect(headers).toEqual({
        host: new URL(server.baseUrl).host,
        connection: 'keep-alive',
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': 'Service-Webhooks/1.0',
        'x-service-event': 'ping',
        'x-service-delivery': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'x-service-signature': expect.stringMatching(/^t=[0-9]+,v1=[0-9a-f]{64}$/),
      })
    }
  })

  test('does not count as a call', async () => {
    world.receiver.answerWith(500)
    await raisePings(world, shop, 3)
    await world.service.processAll()
    world.receiver.answerWith(204)
    world.clock.advance(60_000)
    await world.service.processAll()
    expect(await callsByDay(world, shop)).toEqual([])
    expect(await callsOf(world, shop)).toEqual([])
  })
})

describe('The log', () => {
  test('keeps the body as sent, byte for byte', async () => {
    const before = world.receiver.received.length
    await postHook(shop.hookUrl, {
      customer: { name: 'سارة "😀" \u2028 </script>', phone: '+966501239876', language: 'ar' },
      order: { number: 12345678901234567890n.toString() },
    })
    await world.service.processAll()
    const [sent] = receivedBy(before)
    expect(sent!.event.type).toBe('contact.created')
    const shown = await newest()
    expect(shown.id).toBe(sent!.headers['x-service-delivery'])
    expect(Buffer.from(shown.body!, 'utf8')).toEqual(sent!.body)
    expect(shown.body).toContain('سارة')
  })
})

test('The log shows when an event happened, which may be before it was recorded', async () => {
  const { clock } = world.service.context
  const occurredAt = new Date(clock.now().getTime() - MINUTE_MS)
  await raisePings(world, shop, 1, { occurredAt })
  await world.service.processAll()
  const shown = await newest()
  expect(shown).toMatchObject({
    occurredAt: occurredAt.toISOString(),
    createdAt: clock.now().toISOString(),
  })
  expect(JSON.parse(shown.body!)).toMatchObject({ createdAt: occurredAt.toISOString() })
})

describe('A test', () => {
  test('reaches only the chosen endpoint', async () => {
    const [chosen, other] = [await endpointAt('/chosen'), await endpointAt('/other')]
    await addEndpoint(world, shop)
    const before = world.receiver.received.length
    const sent = await owner.ask('POST', `${company()}/endpoints/${chosen}/tests`, {})
    expect(sent.status).toBe(201)
    await world.service.processAll()
    expect(server.requests.map(({ url }) => url)).toEqual(['/chosen'])
    expect(receivedBy(before)).toEqual([])
    expect((await owner.ask('POST', `${company()}/endpoints/${other}/tests`, {})).status).toBe(201)
    await world.service.processAll()
    expect(server.requests.map(({ url }) => url)).toEqual(['/chosen', '/other'])
    expect(receivedBy(before)).toEqual([])
  })

  systemTest('is the only cause of a ping: no action on an endpoint sends one', async () => {
    const url = new URL('/new', server.baseUrl).href
    const endpoints = `${company()}/endpoints`
    const made = await owner.ask<NewEndpoint>('POST', endpoints, {
      name: 'New',
      url,
      eventTypes: ['message.received'],
    })
    expect(made.status).toBe(201)
    const path = `${endpoints}/${made.body.endpoint.id}`
    const actions: [string, string, object?][] = [
      ['PATCH', path, { name: 'Renamed' }],
      ['PATCH', path, { url: `${url}?again` }],
      ['PATCH', path, { eventTypes: ['flow.completed'] }],
      ['POST', `${path}/secret/rotate`],
      ['POST', `${path}/switch-off`],
      ['POST', `${path}/switch-on`],
    ]
    for (const [method, at, input] of actions) {
      expect([method, at, (await owner.ask(method, at, input)).status]).toEqual([method, at, 200])
      await world.service.processAll()
    }
    expect(server.requests).toEqual([])
    expect((await owner.ask('POST', `${path}/tests`, {})).status).toBe(201)
    await world.service.processAll()
    expect(server.requests.map(({ headers }) => headers['x-service-event'])).toEqual(['ping'])
  })
})
