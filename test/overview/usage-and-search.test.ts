import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SearchView } from '../../src/contract/dashboard/search.ts'
import type { UsageView } from '../../src/contract/dashboard/usage.ts'
import { eventIdText } from '../../src/events/event-id.ts'
import { DAY_MS } from '../../src/limits/units.ts'
import { askHook } from '../support/ask-hook.ts'
import { booked, bookableShop } from '../support/bookable.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { raisePings } from '../support/deliveries.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
let owner: Member
let agent: Member
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
})
afterAll(() => world.close())

const usage = async (by = owner) =>
  (await by.ask<UsageView>('GET', `/companies/${shop.companyId}/usage`)).body
const search = async (text: string, by = owner, companyId = shop.companyId) =>
  (
    await by.ask<SearchView>(
      'GET',
      `/companies/${companyId}/search?text=${encodeURIComponent(text)}`,
    )
  ).body
const found = async (text: string, by = owner) =>
  (await search(text, by)).items.map(({ kind, id }) => `${kind} ${id}`)

describe('Usage', () => {
  test('tells each allowance with its limit and when it is whole again', async () => {
    const now = world.clock.now()
    const before = await usage()
    expect(before).toMatchObject({
      at: now.toISOString(),
      plan: 'business',
      automatedTemplates: { used: 0, limit: 1_000, byCompany: [] },
      calls: { used: 0, limit: 10_000 },
      testsAndResends: { used: 0, limit: 10 },
      connectionTests: { used: 0, limit: 10 },
      hookRequests: { used: 0, limit: 1_000 },
      counts: {
        flowsOn: { used: 1, limit: 25 },
        hookUrls: { used: 1, limit: 20 },
        endpoints: { used: 1, limit: 10 },
        connections: { used: 0, limit: 10 },
        aiActions: { used: 0, limit: 20 },
      },
    })
    const day = now.toISOString().slice(0, 10)
    const tomorrow = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString()
    expect(before.automatedTemplates.resetsAt).toBe(tomorrow)
    expect(before.calls.resetsAt).toBe(tomorrow)
    expect(Date.parse(before.hookRequests.resetsAt) % 3_600_000).toBe(0)
    expect(Date.parse(before.testsAndResends.resetsAt) % 60_000).toBe(0)
    expect(before.days).toHaveLength(30)
    expect(before.days.at(-1)!.day).toBe(day)
  })

  test('counts what was used: by project, by hook URL, by day; and nothing of another account', async () => {
    await askHook(shop.hookUrl)
    await askHook(shop.hookUrl)
    const other = await createShop(world, { phoneNumberId: '2', businessAccountId: '2' })
    await askHook(other.hookUrl)
    await world.service.processAll()
    const { kysely } = world.database.db
    const now = world.clock.now()
    const days = [0, 5, 29, 30].map((ago) => new Date(now.getTime() - ago * DAY_MS).toISOString())
    for (const [n, at] of days.entries()) {
      await sql`insert into call_day values (${shop.accountId}, ${at.slice(0, 10)}::date, ${n + 1})`.execute(
        kysely,
      )
    }
    await sql`insert into delivery_hour (endpoint_id, company_id, hour, attempts, failures)
      values (${shop.endpointId}, ${shop.companyId}, date_trunc('hour', ${now}::timestamptz), 7, 3)
      on conflict (endpoint_id, hour) do update set attempts = 7, failures = 3`.execute(kysely)
    const told = await usage()
    expect(told.hookRequests.used).toBe(2)
    expect(told.hookRequestsByUrl).toMatchObject([{ flowId: shop.flowId, used: 2, limit: 60 }])
    expect(told.automatedTemplates.byCompany).toEqual([
      { companyId: shop.companyId, name: expect.any(String), used: told.automatedTemplates.used },
    ])
    expect(told.automatedTemplates.used).toBeGreaterThan(0)
    expect(told.calls.used).toBe(1)
    expect(told.days.map(({ calls }) => calls).filter(Boolean)).toEqual([3, 2, 1])
    expect(told.days.at(-1)).toMatchObject({
      automatedTemplates: told.automatedTemplates.used,
      deliveryAttempts: 7,
      failedDeliveryAttempts: 3,
    })
    world.clock.advance(DAY_MS)
    owner = await signedIn(world, { accountId: shop.accountId })
    agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    const next = await usage()
    expect([next.hookRequests.used, next.calls.used, next.automatedTemplates.used]).toEqual([
      0, 0, 0,
    ])
    expect(next.hookRequestsByUrl).toMatchObject([{ used: 0 }])
  })

  test('counts what is there and on: not what was deleted, switched off or never published', async () => {
    const { kysely } = world.database.db
    const now = world.clock.now()
    const { companyId } = shop
    const connections = [null, now].map((deletedAt) => ({
      id: world.service.context.ids.uuid(),
      companyId,
      name: 'API',
      baseUrl: 'https://shop.example',
      authKind: 'none',
      timeoutMs: 1_000,
      createdAt: now,
      updatedAt: now,
      deletedAt,
    }))
    await kysely.insertInto('apiConnection').values(connections).execute()
    const of = { createdAt: now, updatedAt: now, companyId, name: 'A draft', isOn: true }
    await kysely
      .insertInto('flow')
      .values({ id: world.service.context.ids.uuid(), ...of })
      .execute()
    const counted = async () => (await usage()).counts
    expect(await counted()).toMatchObject({
      flowsOn: { used: 1 },
      endpoints: { used: 1 },
      connections: { used: 1 },
    })
    const endpoint = kysely.updateTable('endpoint').where('companyId', '=', companyId)
    const flow = kysely.updateTable('flow').where('companyId', '=', companyId)
    await endpoint.set({ deletedAt: now }).execute()
    await flow.set({ isOn: false }).execute()
    expect(await counted()).toMatchObject({ flowsOn: { used: 0 }, endpoints: { used: 0 } })
    await endpoint.set({ deletedAt: null }).execute()
    await flow.set({ isOn: true }).execute()
  })

  test('has the number of templates that the operator gave', async () => {
    const { kysely } = world.database.db
    await kysely.updateTable('account').set({ templatesPerDay: 7 }).execute()
    expect((await usage()).automatedTemplates.limit).toBe(7)
    await kysely.updateTable('account').set({ templatesPerDay: null }).execute()
  })

  test('is not shown to an Agent', async () => {
    const answer = await agent.ask('GET', `/companies/${shop.companyId}/usage`)
    expect(answer.body.code).toBe('forbidden')
  })
})

describe('The search over all', () => {
  let contactId: string
  let conversationId: string
  beforeAll(async () => {
    const { kysely } = world.database.db
    const json = { name: 'سارة العتيبي', phone: '+966501239999', email: 'Sara@shop.example' }
    const made = await owner.ask<{ id: string }>(
      'POST',
      `/companies/${shop.companyId}/contacts`,
      json,
    )
    contactId = made.body.id
    const row = await kysely
      .selectFrom('conversation')
      .select('id')
      .where('companyId', '=', shop.companyId)
      .executeTakeFirstOrThrow()
    conversationId = row.id
    await kysely
      .updateTable('conversation')
      .set({ contactId })
      .where('id', '=', conversationId)
      .execute()
  })

  test.each([
    '+966 50 123 9999',
    '00966501239999',
    '٠٠٩٦٦٥٠١٢٣٩٩٩٩',
    'sara@SHOP.example',
    'ساره',
    'العتيبى سارة',
  ])('finds a person and their conversation by %j', async (text) => {
    const both = [`contact ${contactId}`, `conversation ${conversationId}`]
    expect(await found(text)).toEqual(both)
    expect(await found(text, agent)).toEqual(both)
  })

  test('finds what has an id, for whom there is a page of it', async () => {
    await raisePings(world, shop)
    const { kysely } = world.database.db
    const delivery = await kysely
      .selectFrom('webhookDelivery')
      .select(['id', 'eventId'])
      .where('companyId', '=', shop.companyId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const run = await kysely
      .selectFrom('flowRun')
      .select('id')
      .where('companyId', '=', shop.companyId)
      .executeTakeFirstOrThrow()
    const event = eventIdText(delivery.eventId)
    expect(await found(event)).toEqual([`event ${event}`, `delivery ${delivery.id}`])
    expect(await found(delivery.id.toUpperCase())).toEqual([`delivery ${delivery.id}`])
    expect(await found(run.id)).toEqual([`run ${run.id}`])
    expect(await found(conversationId)).toContain(`conversation ${conversationId}`)
    expect(await found(contactId)).toEqual([
      `contact ${contactId}`,
      `conversation ${conversationId}`,
    ])
    expect(await found(shop.flowId)).toEqual([`flow ${shop.flowId}`])
    for (const text of [event, delivery.id, run.id, shop.flowId]) {
      expect(await found(text, agent)).toEqual([])
    }
    const other = await createShop(world, { phoneNumberId: '3', businessAccountId: '3' })
    const stranger = await signedIn(world, { accountId: other.accountId })
    for (const text of [event, delivery.id, run.id, contactId, conversationId, 'ساره']) {
      expect((await search(text, stranger, other.companyId)).items).toEqual([])
    }
  })

  test('finds an appointment by its reference, for every role, however it is written', async () => {
    const bookable = await bookableShop(world, shop.companyId)
    const serviceId = await bookable.service([{ id: await bookable.resource() }])
    const day = world.clock.now().toISOString().slice(0, 10)
    const startsAt = new Date(Date.parse(`${day}T10:00:00Z`) + DAY_MS)
    const { id, reference } = booked(await bookable.book({ serviceId, startsAt }))
    for (const text of [reference, reference.toLowerCase(), ` ${reference} `]) {
      for (const by of [owner, agent]) {
        expect((await search(text, by)).items).toEqual([
          {
            kind: 'appointment',
            id,
            title: reference,
            subtitle: 'Haircut',
            at: startsAt.toISOString(),
          },
        ])
      }
    }
    expect(await found(reference.slice(0, -1))).toEqual([])
    const other = await createShop(world, { phoneNumberId: '4', businessAccountId: '4' })
    const stranger = await signedIn(world, { accountId: other.accountId })
    expect((await search(reference, stranger, other.companyId)).items).toEqual([])
  })

  test('finds a flow by a part of its name', async () => {
    const { name } = await world.database.db.kysely
      .selectFrom('flow')
      .select('name')
      .where('id', '=', shop.flowId)
      .executeTakeFirstOrThrow()
    expect(await found(name.slice(1).toUpperCase())).toContain(`flow ${shop.flowId}`)
  })

  test.each(["'; drop table contact; --", '%', '_', '\\', '*', 'evt_', 'c_', '\u202e', '😀', 'a'])(
    'takes %j as text',
    async (text) => {
      expect((await search(text)).isTooWide).toBe(false)
    },
  )

  test('wants some words', async () => {
    const path = `/companies/${shop.companyId}/search`
    for (const query of ['', '?text=', '?text=%20', `?text=${'x'.repeat(201)}`, '?text=%00']) {
      expect((await owner.ask('GET', path + query)).status).toBe(422)
    }
  })
})
