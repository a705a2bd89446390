import { buffer } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryView } from '../../src/contract/dashboard/delivery.ts'
import { LIVE_LIMITS } from '../../src/core/limits/deliveries.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { createEventStream } from '../../src/http/dashboard-api/live.ts'
import { LIVE_DELIVERY } from '../../src/modules/deliveries/live-delivery.ts'
import { createLiveChanges } from '../../src/modules/live-updates/change-stream.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { countChanges, forgetWatchers } from '../support/records/live.ts'
import { setRole } from '../support/records/members.ts'
import { type Member, signedIn } from '../support/dashboard.ts'
import { raisePings } from '../support/deliveries.ts'
import { insertDeliveries, listenLive, lookUntil } from '../support/live.ts'
import { ownedShop } from '../support/owned-shop.ts'
import type { Shop } from '../support/shop.ts'
import { inTime, waitUntil } from '../support/wait.ts'
import { openWorld } from '../support/open-world.ts'

let shop: Shop
let owner: Member
const world = await openWorld()

beforeEach(async () => {
  ;({ shop, owner } = await ownedShop(world))
})

const listen = (
  member: Member,
  {
    companyId = shop.companyId,
    ...asked
  }: { companyId?: string; lastEventId?: string; query?: string } = {},
) => listenLive(world, member, companyId, asked)

/** Reads until a delivery is in this state. Returns the delivery. */
async function until(
  stream: Awaited<ReturnType<typeof listen>>,
  state: string,
): Promise<DeliveryView> {
  let last: DeliveryView | null = null
  await waitUntil(`a delivery that is ${state}`, async () => {
    const { event, data } = await stream.next()
    if (event !== 'delivery') throw new Error(`${event} came instead of a delivery`)
    last = data as DeliveryView
    return last.state === state
  })
  return last!
}

describe('Live updates of the delivery log', () => {
  test('report each delivery that is new or has changed', async () => {
    const stream = await listen(owner)
    expect(stream.status).toBe(200)
    expect(await stream.next()).toMatchObject({ event: 'ready' })
    await raisePings(world, shop)
    expect(await until(stream, 'pending')).toMatchObject({
      attempts: 0,
      type: 'ping',
      endpoint: { id: shop.endpointId },
    })
    world.receiver.answerWith(500)
    await world.service.processAll()
    const failed = await until(stream, 'pending')
    expect(failed).toMatchObject({ attempts: 1, lastStatus: 500, lastError: 'http_error' })
    world.receiver.answerWith(204)
    world.clock.advance(MINUTE_MS)
    await world.service.processAll()
    expect(await until(stream, 'delivered')).toMatchObject({ id: failed.id, attempts: 2 })
  })

  test('report nothing of another company', async () => {
    const { shop: stranger, owner: member } = await ownedShop(world)
    const mine = await listen(owner)
    const theirs = await listen(member, { companyId: stranger.companyId })
    expect((await mine.next()).event).toBe('ready')
    expect((await theirs.next()).event).toBe('ready')
    await raisePings(world, shop)
    await raisePings(world, stranger)
    const [one] = await deliveriesOf(world, stranger)
    expect(await until(theirs, 'pending')).toMatchObject({ id: one!.id })
    expect((await listen(member, { companyId: shop.companyId })).status).toBe(404)
  })

  test('continue after Last-Event-ID, with what changed meanwhile', async () => {
    const first = await listen(owner)
    const { id } = await first.next()
    first.close()
    await raisePings(world, shop, 2)
    const again = await listen(owner, { lastEventId: id! })
    const told = [await again.next(), await again.next()]
    expect(told.map(({ event }) => event)).toEqual(['delivery', 'delivery'])
    // Only the last line of a batch has a position.
    expect(told.map((one) => one.id)).toEqual([null, expect.any(String)])
    expect(new Set(told.map(({ data }) => (data as DeliveryView).id)).size).toBe(2)
  })

  test.each(['1-1', 'nonsense', `1-${Date.UTC(2100, 0)}`, '999999999999999-9999999999999'])(
    'say that the log must be read again after %s, which is no kept position',
    async (lastEventId) => {
      const stream = await listen(owner, { lastEventId })
      expect((await stream.next()).event).toBe('reset')
      await raisePings(world, shop)
      expect(await until(stream, 'pending')).toBeDefined()
    },
  )

  test('say that the log must be read again when more changed than one poll reports', async () => {
    const stream = await listen(owner)
    await stream.next()
    await insertDeliveries(world, shop, LIVE_LIMITS.changesPerPoll + 1)
    expect((await stream.next()).event).toBe('reset')
  })

  test('are dropped for a reader that leaves too much unread', async () => {
    const live = createLiveChanges(world.service.context, { delivery: LIVE_DELIVERY })
    const sessions = { watch: () => () => {}, close: () => Promise.resolve() }
    const session = (await owner.ask<{ id: string }>('GET', '/session')).body
    const { accountId, companyId } = shop
    const watcher = {
      accountId,
      companyIds: [companyId],
      role: 'owner',
      position: null,
    } as const
    const stream = await createEventStream(
      { ...world.service.context, live, sessions, isStopping: () => false },
      { ...watcher, sessionId: session.id, saysCompany: false },
    )
    const reader = stream.getReader()
    // Only the first lines are read, while batch after batch changes.
    await reader.read()
    const max = Math.ceil((4 * LIVE_LIMITS.unreadBytes) / (400 * LIVE_LIMITS.changesPerPoll))
    const messages: string[] = []
    let told = 0
    const stop = live.watch({
      ...watcher,
      sessionId: 'another',
      send(message) {
        messages.push(message.kind)
        if (message.kind === 'changed') told += message.items.length
      },
    })
    await lookUntil('both watch', live, () => messages.length > 0)
    // The batches change one by one: all together would exceed the limit, and be reported as a reset.
    for (let batch = 1; batch <= max; batch += 1) {
      await insertDeliveries(world, shop, LIVE_LIMITS.changesPerPoll)
      await lookUntil('a batch is reported', live, () => told >= batch * LIVE_LIMITS.changesPerPoll)
    }
    stop()
    reader.releaseLock()
    const rest = await inTime('the stream ends', buffer(stream))
    const bytes = rest.byteLength
    expect(bytes).toBeGreaterThan(LIVE_LIMITS.unreadBytes / 2)
    expect(bytes).toBeLessThan(4 * LIVE_LIMITS.unreadBytes)
  })

  test('send a heartbeat every 15 seconds, and end with the session', async () => {
    const stream = await listen(owner)
    await stream.next()
    world.clock.advance(LIVE_LIMITS.heartbeatMs)
    await stream.beat()
    expect((await owner.ask('DELETE', '/session')).status).toBeLessThan(300)
    world.clock.advance(LIVE_LIMITS.heartbeatMs)
    expect(await stream.ended()).toBe(true)
  })

  test('end when the role may no longer see them', async () => {
    const admin = await signedIn(world, { accountId: shop.accountId, role: 'admin' })
    const stream = await listen(admin)
    await stream.next()
    await setRole(world, admin, 'agent')
    world.clock.advance(LIVE_LIMITS.heartbeatMs)
    expect(await stream.ended()).toBe(true)
    // An Agent watches the inbox, and receives no delivery.
    expect((await listen(admin)).status).toBe(200)
  })

  test('report several projects on one stream, which continues after one position for all of them', async () => {
    const { id } = (await owner.ask<{ id: string }>('POST', '/companies', { name: 'Second' })).body
    const { shop: stranger } = await ownedShop(world)
    const query = `?also=${id},${stranger.companyId}`
    const first = await listen(owner, { query })
    const { id: position } = await first.next()
    const flow = { name: 'Anything' }
    const made = async (companyId: string) =>
      (await owner.ask<{ id: string }>('POST', `/companies/${companyId}/flows`, flow)).body.id
    first.close()
    const flows = [
      { companyId: shop.companyId, id: await made(shop.companyId) },
      { companyId: id, id: await made(id) },
    ]
    await raisePings(world, stranger)
    const again = await listen(owner, { query: `${query}&after=${position}` })
    const told = [(await again.next()).data, (await again.next()).data]
    expect(new Set(told)).toEqual(new Set(flows))
    expect((await owner.ask('GET', `/companies/${shop.companyId}/live?also=x`)).status).toBe(422)
  })

  test('are limited to a number of pages of a session, and of an account', async () => {
    const path = `/companies/${shop.companyId}/live`
    const refused = (member: Member) => member.ask('GET', path)
    const streams = []
    const people = [owner]
    const { watchersPerAccount, watchersPerSession } = LIVE_LIMITS
    for (let opened = 0; opened < watchersPerAccount; opened += 1) {
      if (opened > 0 && opened % watchersPerSession === 0) {
        const code = { status: 409, body: { reason: 'session_watchers' } }
        expect(await refused(people.at(-1)!)).toMatchObject(code)
        people.push(await signedIn(world, shop))
      }
      streams.push(await listen(people.at(-1)!))
    }
    expect(streams.every(({ status }) => status === 200)).toBe(true)
    const late = await signedIn(world, shop)
    expect(await refused(late)).toMatchObject({ status: 409, body: { reason: 'log_watchers' } })
    streams[0]!.close()
    // The server notices the closed connection some time later.
    await waitUntil('there is room again', async () => (await listen(late)).status === 200)
  })

  test('do not begin for a HEAD request, which would never end them', async () => {
    const ask = () =>
      fetch(`${world.url}/api/companies/${shop.companyId}/live`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${owner.token}` },
      })
    for (let asked = 0; asked < LIVE_LIMITS.watchersPerAccount; asked += 1) {
      expect((await ask()).headers.get('content-type')).toContain('text/event-stream')
    }
    expect((await listen(owner)).status).toBe(200)
  })

  test('record no changes while no page is open', async () => {
    await forgetWatchers(world)
    await raisePings(world, shop, 3)
    await world.service.processAll()
    expect(await countChanges(world)).toBe(0)
  })
})
