/**
 * Live changes: none is left out. A change of a company's set-up is reported by its id alone, so that
 * dashboards read the lists again.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { CompiledQuery } from 'kysely'
import type { FlowDetail } from '../../src/contract/dashboard/flow.ts'
import type { NewHookUrl } from '../../src/contract/dashboard/hook-url.ts'
import { WEEKDAYS } from '../../src/rules/flows/opening-hours.ts'
import { RECORDED_ENTITIES } from '../../src/modules/live-updates/live-entities.ts'
import { LIVE_LIMITS } from '../../src/core/limits/deliveries.ts'
import {
  createLiveChanges,
  type LiveChanges,
  type LiveMessage,
} from '../../src/modules/live-updates/change-stream.ts'
import { postHook } from '../support/post-hook.ts'
import { signedIn } from '../support/dashboard.ts'
import { insertDeliveries, lookUntil, watchLive } from '../support/live.ts'
import { createTestDatabase } from '../support/database.ts'
import { createOwnShop, createShop, type Shop } from '../support/shop.ts'
import { uploadContacts } from '../support/upload-contacts.ts'
import { openWorld } from '../support/open-world.ts'
import type { DeliveryView } from '../../src/contract/dashboard/delivery.ts'
import { LIVE_DELIVERY } from '../../src/modules/deliveries/live-delivery.ts'
import { raisePings } from '../support/deliveries.ts'
import { addResource } from '../support/records/appointments.ts'
import { addContact } from '../support/records/contacts.ts'
import { deliveriesOf, putDeliveries } from '../support/records/deliveries.ts'
import { openTransaction } from '../support/records/locks.ts'
import { inTime } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'

/** Reported entities with their objects, by role. */
const told: Record<string, string[]> = { owner: [], agent: [] }
const stops: (() => void)[] = []
const world = await openWorld()
const shop = await createShop(world)
const owner = await signedIn(world, shop)
const live = createLiveChanges(world.service.context, RECORDED_ENTITIES)
let ready = 0
for (const role of ['owner', 'agent'] as const) {
  const tell = (message: LiveMessage) => {
    if (message.kind === 'ready') ready += 1
    if (message.kind !== 'changed') return
    told[role]!.push(...message.items.map((one) => `${one.entity} ${JSON.stringify(one.item)}`))
  }
  stops.push(watchLive(live, shop, tell, role))
}
await lookUntil('both are ready', live, () => ready === 2)
afterAll(() => {
  for (const stop of stops) stop()
  live.stop()
})

const at = (path: string) => `/companies/${shop.companyId}${path}`

const ALL = ['owner', 'agent']
const DESIGNERS = ['owner']

/** Waits until this object is reported again, by its id alone. Returns the roles that got the report. */
async function toldOf(entity: string, id: string): Promise<string[]> {
  const line = `${entity} ${JSON.stringify({ id })}`
  await lookUntil(`${entity} is told of`, live, () => told.owner!.includes(line))
  const roles = Object.keys(told).filter((role) => told[role]!.includes(line))
  for (const role of Object.keys(told)) told[role] = []
  return roles
}

/** Sends a request that is not refused. Returns the body of the response. */
async function ask<Body = { id: string }>(method: string, path: string, json?: unknown) {
  const answer = await owner.ask<Body>(method, at(path), json)
  expect(answer.status).toBeLessThan(300)
  return answer.body
}

type Act = [method: string, path: string, json?: unknown]

/** Makes changes to one object. Only members with these roles get a report of each. */
async function isTold(roles: string[], entity: string, id: string, ...acts: Act[]): Promise<void> {
  for (const [method, path, json] of acts) {
    await ask(method, path, json)
    expect([method, path, await toldOf(entity, id)]).toEqual([method, path, roles])
  }
}

test('a service, a person and the booking page: made, changed and deleted', async () => {
  const { id: resourceId } = await ask('POST', '/resources', { name: 'Mona', kind: 'person' })
  expect(await toldOf('resource', resourceId)).toEqual(ALL)
  const hours = { [WEEKDAYS[0]]: [{ from: '09:00', to: '17:00' }] }
  await isTold(ALL, 'resource', resourceId, ['PATCH', `/resources/${resourceId}`, { hours }])
  const haircut = { name: 'Haircut', minutes: 30, needs: [{ resourceId }] }
  const { id: serviceId } = await ask('POST', '/services', haircut)
  expect(await toldOf('service', serviceId)).toEqual(ALL)
  const service = `/services/${serviceId}`
  await isTold(ALL, 'service', serviceId, ['PATCH', service, { isOn: false }])
  for (const maxDays of [10, 20]) {
    await isTold(ALL, 'booking_page', shop.companyId, ['PATCH', '/booking-page', { maxDays }])
  }
  await isTold(ALL, 'service', serviceId, ['DELETE', service])
  await isTold(ALL, 'resource', resourceId, ['DELETE', `/resources/${resourceId}`])
})

test('a flow: made, drawn, published and deleted, for those who may design', async () => {
  const draft = {
    channelId: shop.channelId,
    trigger: { kind: 'manual' },
    start: 'finish',
    steps: { finish: { kind: 'end' } },
  }
  const { id } = await ask<FlowDetail>('POST', '/flows', { name: 'Live' })
  expect(await toldOf('flow', id)).toEqual(DESIGNERS)
  world.clock.advance(1_000)
  const flow = `/flows/${id}`
  const drawn: Act[] = [
    ['PUT', `${flow}/draft`, draft],
    ['POST', `${flow}/publish`],
  ]
  await isTold(DESIGNERS, 'flow', id, ...drawn, ['DELETE', flow])
})

test('a hook URL: its requests too, and that it is gone', async () => {
  const { id: flowId } = await ask<FlowDetail>('POST', '/flows', { name: 'Hooked' })
  const made = await ask<NewHookUrl>('POST', '/hook-urls', { flowId })
  const { id } = made.hookUrl
  expect(await toldOf('hook_url', id)).toEqual(DESIGNERS)
  for (const phone of ['nobody', '']) {
    await postHook(made.url, { customer: { phone } })
    expect(await toldOf('hook_url', id)).toEqual(DESIGNERS)
  }
  const path = `/hook-urls/${id}`
  await isTold(DESIGNERS, 'hook_url', id, ['POST', `${path}/replace`], ['DELETE', path])
})

test('an import of contacts, while it goes on', async () => {
  const { body } = await uploadContacts(world, owner, shop, 'phone,name\n+966500000001,Sara\n')
  const { id } = body
  expect(await toldOf('contact_import', id)).toEqual(DESIGNERS)
  await isTold(DESIGNERS, 'contact_import', id, ['POST', `/contact-imports/${id}/cancel`])
})

let watched: Shop
beforeEach(async () => {
  watched = await createOwnShop(world)
})

describe('Live changes', () => {
  test('leave none out when deliveries change several times between two polls', async () => {
    const changes = createLiveChanges(world.service.context, { delivery: LIVE_DELIVERY })
    const ids = new Set<string>()
    const messages: string[] = []
    const stop = watchLive(changes, watched, (message) => {
      messages.push(message.kind)
      if (message.kind !== 'changed') return
      for (const { item } of message.items) ids.add((item as DeliveryView).id)
    })
    await lookUntil('the first message', changes, () => messages.length > 0)
    const [first, later] = [200, 100]
    await world.database.db.kysely.transaction().execute(async (tx) => {
      const query = (text: string, values: unknown[]) =>
        tx.executeQuery(CompiledQuery.raw(text, values))
      await insertDeliveries(world, watched, first, query)
      const inside = { service: { context: { ...world.service.context, db: { kysely: tx } } } }
      const made = (await deliveriesOf(inside, watched)).map(({ id }) => id)
      for (const attempts of [1, 2]) await putDeliveries(inside, made, { attempts })
      await insertDeliveries(world, watched, later, query)
    })
    await lookUntil('the changes', changes, () => messages.length > 1)
    stop()
    expect(messages.includes('reset') ? first + later : ids.size).toBe(first + later)
  })

  test('are limited to a number of streams of a server, whatever their accounts', () => {
    const full = createLiveChanges(world.service.context, RECORDED_ENTITIES)
    onTestFinished(() => full.stop())
    const watch = () =>
      watchLive(full, { accountId: randomUUID(), companyId: shop.companyId }, () => {})
    for (let opened = 0; opened < LIVE_LIMITS.watchersInAll; opened += 1) watch()
    expect(watch).toThrow('limit_reached: server_watchers')
  })

  test('begin once every transaction has ended whose changes may not be recorded', async () => {
    const changes = createLiveChanges(world.service.context, { delivery: LIVE_DELIVERY })
    const messages: string[] = []
    const client = await world.database.db.pool.connect()
    onTestFinished(() => client.release())
    await client.query('begin')
    await client.query(
      `insert into event (id, company_id, type, occurred_at) values (new_uuid_v7($2), $1, 'ping', $2)`,
      [watched.companyId, world.clock.now()],
    )
    const stop = watchLive(changes, watched, ({ kind }) => void messages.push(kind))
    for (let looked = 0; looked < 3; looked += 1) await changes.poll()
    expect(messages).toEqual([])
    await client.query('commit')
    await lookUntil('the first message', changes, () => messages.length > 0)
    expect(messages).toEqual(['ready'])
    stop()
  })

  describe('while a transaction stays open', () => {
    /** Watches `watched` through a process. Returns what it reports: the ids of objects, and kinds of messages. */
    async function watchOn(changes: LiveChanges, position: string | null = null) {
      const heard: string[] = []
      let last = ''
      const stop = changes.watch({
        accountId: watched.accountId,
        companyIds: [watched.companyId],
        sessionId: 'of the test',
        role: 'owner',
        position,
        send(message) {
          last = message.position
          if (message.kind !== 'changed') heard.push(message.kind)
          else heard.push(...message.items.map(({ item }) => (item as { id: string }).id))
        },
      })
      stops.push(stop)
      const looks = { some: () => changes.poll().then(() => heard.splice(0)) }
      return { ...looks, stop, position: () => last }
    }
    /** Returns the same for a watcher that has been sent `ready`. */
    async function watchReady(changes: LiveChanges) {
      const watcher = await watchOn(changes)
      expect(await watcher.some()).toEqual(['ready'])
      return watcher
    }
    const onProcess = () => createLiveChanges(world.service.context, { resource: TOLD_BY_ID })
    const TOLD_BY_ID = RECORDED_ENTITIES.resource
    const change = (name: string) => addResource(world, watched, name)

    test.each(['another database', 'this one'])(
      'in %s, committed changes are reported',
      async (of) => {
        const beside = of === 'this one' ? null : await createTestDatabase({ empty: true })
        const process = onProcess()
        const before = await watchReady(process)
        const open = await openTransaction(beside?.db ?? world.database.db)
        try {
          const id = await change('Mona')
          expect(await before.some()).toEqual([id])
          const back = before.position()
          before.stop()
          const came = await watchOn(process)
          expect(await came.some()).toEqual(['ready'])
          const next = await change('Sara')
          expect(await came.some()).toEqual([next])
          // A watcher that reconnects, on another process.
          const again = await watchOn(onProcess(), back)
          expect(await again.some()).toEqual([next])
          await open.end()
          expect(await again.some()).toEqual([])
        } finally {
          await open.end()
          await beside?.drop()
        }
      },
    )

    test('its own changes are reported when it commits, once, also to watchers who saw later ones', async () => {
      const watcher = await watchReady(onProcess())
      await using open = await openTransaction(world.database.db)
      const late = await addResource(open.inside(world), watched, 'Late')
      const soon = await change('Soon')
      expect(await watcher.some()).toEqual([soon])
      const back = watcher.position()
      await open.end()
      expect(await watcher.some()).toEqual([late])
      expect(await watcher.some()).toEqual([])
      expect(await (await watchOn(onProcess(), back)).some()).toEqual([late])
    })

    test('in another database since before a watcher came, no change waits for its end', async () => {
      const beside = await createTestDatabase({ empty: true })
      const open = await openTransaction(beside.db)
      try {
        const watcher = await watchReady(onProcess())
        await open.end()
        expect(await watcher.some()).toEqual([])
      } finally {
        await open.end()
        await beside.drop()
      }
    })

    test('since before a watcher came, the lists are read again after its end', async () => {
      await using open = await openTransaction(world.database.db)
      await addResource(open.inside(world), watched, 'Before')
      const watcher = await watchOn(onProcess())
      expect(await watcher.some()).toEqual([])
      world.clock.advance(LIVE_LIMITS.readyAfterMs)
      expect(await watcher.some()).toEqual(['ready'])
      const id = await change('Soon')
      expect(await watcher.some()).toEqual([id])
      const back = watcher.position()
      await open.end()
      expect(await watcher.some()).toEqual(['reset'])
      expect(await watcher.some()).toEqual([])
      expect(await (await watchOn(onProcess(), back)).some()).toEqual(['reset'])
    })
  })

  test('are of any entity whose table records them, to the roles that may see it', async () => {
    const { db } = world.database
    await db.pool.query(`create trigger contact_made after insert on contact
      referencing new table as made for each statement execute function note_made('contact')`)
    const changes = createLiveChanges(world.service.context, {
      delivery: LIVE_DELIVERY,
      contact: {
        roles: ['owner', 'admin', 'agent'],
        load: (kysely, { companyId, ids }) =>
          kysely
            .selectFrom('contact')
            .select(['id', 'name'])
            .where('companyId', '=', companyId)
            .where('id', 'in', ids)
            .execute(),
      },
    })
    const byRole = { owner: [] as string[], agent: [] as string[] }
    const both = (['owner', 'agent'] as const).map((role) =>
      watchLive(
        changes,
        watched,
        (message) =>
          void byRole[role].push(
            ...(message.kind === 'changed'
              ? message.items.map(({ entity }) => entity)
              : [message.kind]),
          ),
        role,
      ),
    )
    await lookUntil(
      'both are ready',
      changes,
      () => byRole.owner.length + byRole.agent.length === 2,
    )
    await raisePings(world, watched)
    await addContact(world, watched, { name: 'Huda' })
    await lookUntil('both are told', changes, () => byRole.agent.length === 2)
    await lookUntil('the owner is told of both', changes, () => byRole.owner.length === 3)
    for (const stop of both) stop()
    await db.pool.query('drop trigger contact_made on contact')
    expect(byRole.agent).toEqual(['ready', 'contact'])
    expect(byRole.owner.toSorted()).toEqual(['contact', 'delivery', 'ready'])
  })

  systemTest('reach a listener on any node', async () => {
    const elsewhere = createLiveChanges(world.service.context, { delivery: LIVE_DELIVERY })
    const messages: string[] = []
    const isHeard = Promise.withResolvers<void>()
    const stop = watchLive(elsewhere, watched, ({ kind }) => {
      messages.push(kind)
      if (kind === 'changed') isHeard.resolve()
    })
    await lookUntil('the first message', elsewhere, () => messages.length > 0)
    expect(messages).toEqual(['ready'])
    await raisePings(world, watched)
    await inTime('the change is told', isHeard.promise)
    stop()
    expect(messages).toEqual(['ready', 'changed'])
  })
})
