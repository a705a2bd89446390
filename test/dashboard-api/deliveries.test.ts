/** The delivery log: its filters, and the detail of one delivery. */
import { describe, expect, test } from 'vitest'
import type { DeliveryDetail, DeliveryPage } from '../../src/contract/dashboard/delivery.ts'
import { DELIVERY_LIMITS, LOG_LIMITS } from '../../src/core/limits/deliveries.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { EVENT_TYPES } from '../../src/core/vocabulary/events.ts'
import { signedIn, walkPages } from '../support/dashboard.ts'
import { addEndpoint, raisePings } from '../support/deliveries.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { addDeliveries, putAttempts, putDeliveries } from '../support/records/deliveries.ts'
import { putEndpoint, switchOff, switchOn } from '../support/records/endpoints.ts'
import { createShop } from '../support/shop.ts'

const world = await openWorld()
const shop = await createShop(world, { eventTypes: ['ping', 'contact.created'] })
const owner = await signedIn(world, shop)
const other = {
  endpointId: await addEndpoint(world, shop, `${world.receiver.url}?token=very-secret`),
}
await putEndpoint(world, other, { eventTypes: ['ping'] })
const { ids } = world.service.context
/** The subjects of one ping. */
const about = { conversationId: 'wa_966501234567', contactId: ids.uuid(), runId: ids.uuid() }
const message = "it's مرحبا"

const path = () => `/companies/${shop.companyId}/deliveries`
const search = async (query: Record<string, string> = {}) => {
  const asked = `${path()}?${new URLSearchParams(query).toString()}`
  const answer = await owner.ask<DeliveryPage>('GET', asked)
  expect(answer.status).toBe(200)
  return answer.body
}
const all = (query: Record<string, string> = {}) =>
  walkPages<DeliveryPage['items'][number]>(owner, path(), query)
const show = async (id: string) => (await owner.ask<DeliveryDetail>('GET', `${path()}/${id}`)).body

describe('The delivery log', () => {
  test('is filtered by event, delivery, endpoint, subject, type, state, status, cause, kind and time', async () => {
    await raisePings(world, shop, 3)
    await world.service.processAll()
    world.clock.advance(1_000)
    const middle = world.clock.now().toISOString()
    world.receiver.answerWith(500)
    await raisePings(world, shop, 1, about)
    const sara = { name: 'Sara' }
    await owner.ask('POST', `/companies/${shop.companyId}/contacts`, sara)
    await world.service.processAll()
    world.receiver.answerWith(204)
    const everything = await all()
    // Three pings and one more to both endpoints, and a new contact to one.
    expect(everything).toHaveLength(9)
    const newestFirst = everything.map(({ id }) => id)
    expect(newestFirst).toEqual(newestFirst.toSorted().toReversed())

    const one = everything.find(({ conversationId }) => conversationId !== null)!
    expect(one).toMatchObject({
      eventId: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      ...about,
      type: 'ping',
    })
    const counted = async (query: Record<string, string>) => (await all(query)).length
    expect(await counted({ eventId: one.eventId })).toBe(2)
    expect(await all({ deliveryId: one.id })).toEqual([one])
    expect(await counted({ endpointId: other.endpointId })).toBe(4)
    expect(await counted({ conversationId: about.conversationId })).toBe(2)
    expect(await counted({ contactId: about.contactId })).toBe(2)
    expect(await counted({ runId: about.runId })).toBe(2)
    expect(await counted({ runId: about.runId, endpointId: shop.endpointId })).toBe(1)
    expect(await counted({ type: 'contact.created' })).toBe(1)
    expect(await counted({ type: 'ping', endpointId: shop.endpointId })).toBe(4)
    expect(await counted({ kind: 'event' })).toBe(9)
    expect(await counted({ kind: 'test' })).toBe(0)
    const failed = everything.filter(({ lastStatus }) => lastStatus === 500).length
    expect(failed).toBeGreaterThan(0)
    expect(await counted({ state: 'pending' })).toBe(failed)
    expect(await counted({ state: 'delivered' })).toBe(9 - failed)
    expect(await counted({ status: '500' })).toBe(failed)
    expect(await counted({ error: 'http_error' })).toBe(failed)
    expect(await counted({ error: 'http_error', type: 'contact.created' })).toBe(1)
    expect(await counted({ error: 'timeout' })).toBe(0)
    expect(await counted({ to: middle })).toBe(6)
    expect(await counted({ from: middle })).toBe(3)
    expect(await counted({ from: middle, type: 'ping' })).toBe(2)
  })

  test.each([
    ['along the deliveries', {}],
    ['along the events', { type: 'ping' }],
    ['with a filter that is looked at row by row', { kind: 'event', status: '204' }],
  ])('comes in pages that neither leave out nor repeat, %s', async (_title, query) => {
    const whole = (await all({ ...query, limit: '100' })).map(({ id }) => id)
    const pieces = (await all({ ...query, limit: '2' })).map(({ id }) => id)
    expect(pieces).toEqual(whole)
    expect(new Set(whole).size).toBe(whole.length)
    expect(whole.length).toBeGreaterThan(4)
  })

  test('is filtered from and to any valid time', async () => {
    await raisePings(world, shop)
    const [earliest, latest] = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z']
    expect((await search({ from: earliest, to: latest })).items.length).toBeGreaterThan(0)
    expect((await search({ from: earliest, type: 'ping' })).items.length).toBeGreaterThan(0)
    expect((await search({ to: earliest })).items).toEqual([])
    expect((await search({ to: earliest, type: 'ping' })).items).toEqual([])
    expect((await search({ from: latest })).items).toEqual([])
  })

  test('refuses an invalid filter, and names it', async () => {
    const wrong = { eventId: 'evt_1', state: 'lost', cursor: 'x', status: '7' }
    const asked = await owner.ask('GET', `${path()}?${new URLSearchParams(wrong).toString()}`)
    expect(asked.status).toBe(422)
    const fields = asked.body.errors!.map(({ field }) => field)
    expect(fields.toSorted()).toEqual(Object.keys(wrong).toSorted())
  })

  test('finds one delivery by all its values together, and none by the value of another', async () => {
    const [one] = (await search({ limit: '1' })).items
    const known = { deliveryId: one!.id, eventId: one!.eventId, type: one!.type }
    expect((await search(known)).items.map(({ id }) => id)).toEqual([one!.id])
    const query = new URLSearchParams(known).toString()
    expect((await owner.ask('GET', `${path()}/count?${query}`)).body).toMatchObject({ count: 1 })
    const another = `evt_${'0'.repeat(31)}1`
    expect((await search({ ...known, eventId: another })).items).toEqual([])
  })

  test('shows nothing of another company, whatever id is requested', async () => {
    const { shop: theirs, owner: stranger } = await ownedShop(world)
    const [one] = (await search({ limit: '1' })).items
    const base = `/companies/${theirs.companyId}/deliveries`
    for (const query of [
      `deliveryId=${one!.id}`,
      `eventId=${one!.eventId}`,
      `endpointId=${shop.endpointId}`,
      `contactId=${about.contactId}`,
      `runId=${about.runId}`,
    ]) {
      const { body } = await stranger.ask<DeliveryPage>('GET', `${base}?${query}`)
      expect(body.items).toEqual([])
    }
  })

  test('ends a page early where few of many match, and says how far it searched', async () => {
    const { shop: many, owner: member } = await ownedShop(world)
    const others = Array<string>(Math.ceil(LOG_LIMITS.scannedRows / 10)).fill('expired')
    // The search is for the oldest only, and the index of its kind leads past all the others.
    await addDeliveries(world, many, ['superseded'], { kind: 'resend' })
    world.clock.advance(MINUTE_MS)
    await addDeliveries(world, many, others, { kind: 'resend' })
    const ask = async (query: string) => {
      const asked = `/companies/${many.companyId}/deliveries?${query}`
      return (await member.ask<DeliveryPage>('GET', asked)).body
    }
    // The index of the state alone finds it immediately.
    expect((await ask('state=superseded')).items).toHaveLength(1)
    const looked = await ask('kind=resend&state=superseded')
    expect(looked).toMatchObject({ items: [], nextCursor: expect.any(String) })
    expect(looked.searchedTo).toEqual(expect.any(String))
    const found = await ask(`kind=resend&state=superseded&cursor=${looked.nextCursor}`)
    expect(found).toMatchObject({ nextCursor: null, items: [{ state: 'superseded' }] })
  })
})

describe('The detail of a delivery', () => {
  test('shows its body, each attempt with its cause and what to do, and when the next is due', async () => {
    world.receiver.answerWith(503)
    await raisePings(world, shop, 1, { conversationId: 'detail', message })
    await world.service.processAll()
    world.receiver.answerWith(204)
    const [found] = await all({ conversationId: 'detail', endpointId: shop.endpointId })
    const detail = await show(found!.id)
    expect(JSON.parse(detail.body!)).toMatchObject({
      id: found!.eventId,
      type: 'ping',
      data: { message },
    })
    expect(detail.state).toBe('pending')
    expect(detail.stateMessage).toMatchObject({
      code: 'delivery_waits_again',
      params: { attempts: 1, dueAt: detail.dueAt },
    })
    expect(detail.log).toMatchObject([
      {
        number: 1,
        url: world.receiver.url,
        httpStatus: 503,
        error: {
          code: 'http_error',
          message: { text: expect.stringContaining('503') },
          hint: { code: 'hint_http_5xx', text: expect.stringContaining('error log') },
        },
        remoteAddress: '127.0.0.1',
        signedWith: [shop.secret.slice(-4)],
        isLate: false,
        durationMs: expect.any(Number),
        answerMs: expect.any(Number),
      },
    ])
    world.clock.advance(MINUTE_MS)
    await world.service.processAll()
    const delivered = await show(found!.id)
    expect(delivered).toMatchObject({
      state: 'delivered',
      lastError: null,
      log: [{ number: 1 }, { number: 2, error: null, httpStatus: 204 }],
    })
  })

  test('shows a response with NUL, invalid UTF-8 and a truncated character as safe text', async () => {
    const [one] = await all({ conversationId: 'detail', endpointId: shop.endpointId })
    const head = Buffer.alloc(DELIVERY_LIMITS.answerKeptBytes, 'a')
    head.set(Buffer.from('<script>\u0000\u202e'), 0)
    head[20] = 0xff
    // This is the first byte of a letter whose second byte was cut off.
    head[head.length - 1] = 0xd9
    await putAttempts(world, one!.id, {
      answerHead: head,
      answerIsCut: true,
      answerHeaders: Buffer.from('content-type: text/html\nset-cookie: id=1\nx-a: \xe9', 'latin1'),
    })
    const { answer } = (await show(one!.id)).log[0]!
    expect(answer).toMatchObject({ bytes: 2_048, isCut: true })
    expect(answer!.text.startsWith('<script>\ufffd\ufffd')).toBe(true)
    expect(answer!.text.endsWith('a')).toBe(true)
    expect(answer!.headers).toEqual([
      { name: 'content-type', value: 'text/html' },
      { name: 'set-cookie', value: '(not shown)' },
      { name: 'x-a', value: '\ufffd' },
    ])
  })

  test('shows a curl command without any secret', async () => {
    const [one] = await all({ conversationId: 'detail', endpointId: other.endpointId })
    const { curl, body } = await show(one!.id)
    expect(curl).not.toMatch(/very-secret|whsec_/)
    expect(curl).toContain('?token=VALUE')
    expect(curl).toContain(body!.replaceAll("'", `'\\''`))
  })

  test.each([
    ['held', 'Switch it on'],
    ['superseded', 'A resend of this event was delivered'],
    ['cancelled', 'The endpoint was deleted'],
    ['expired', 'It wasn’t delivered within 7 days'],
    ['dead_lettered', 'All attempts failed'],
  ])('says why it is %s', async (state, sentence) => {
    const conversationId = `why ${state}`
    await raisePings(world, shop, 1, { conversationId })
    const [one] = await all({ conversationId, endpointId: other.endpointId })
    await putDeliveries(world, [one!.id], { state, dueAt: null, queue: null })
    if (state === 'held') await switchOff(world, other)
    expect((await show(one!.id)).stateMessage.text).toContain(sentence)
    await switchOn(world, other)
  })
})

test('the log can be filtered by every type of event', async () => {
  for (const type of EVENT_TYPES) expect((await search({ type })).items).toBeDefined()
})
