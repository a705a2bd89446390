/** What the delivery log tells beside its rows: counts, views, the customer, and itself as a file. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  DeliveryDetail,
  DeliveryPage,
  DeliveryViewCounts,
} from '../../src/contract/dashboard/delivery.ts'
import type { BoundedCount } from '../../src/contract/dashboard/endpoint.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { AuditView } from '../../src/contract/dashboard/account.ts'
import { transaction } from '../../src/database/transaction.ts'
import { raiseEvent } from '../../src/events/raise-event.ts'
import { LOG_LIMITS } from '../../src/limits/deliveries.ts'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { ROLES } from '../../src/vocabulary/accounts.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { addEndpoint } from '../support/deliveries.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
let owner: Member
let contactId: string
let startedAt: Date
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  await addEndpoint(world, shop)
  const made = await owner.ask<{ id: string }>('POST', `/companies/${shop.companyId}/contacts`, {
    name: 'Maha Rashid',
    phone: '+966501234567',
  })
  contactId = made.body.id
  await othersKnow(made.body.id)
  await world.service.processAll()
  world.clock.advance(MINUTE_MS)
  startedAt = world.clock.now()
  // Two endpoints: four delivered, four that fail and wait, of which two are given up.
  await raise(2)
  await world.service.processAll()
  world.receiver.answerWith(503)
  await raise(1, contactId)
  await raise(1)
  await world.service.processAll()
  world.receiver.answerWith(204)
  await world.database.db.pool.query(
    `update webhook_delivery set state = 'dead_lettered', due_at = null, lane = null
    where event_id = (select max(id::text)::uuid from event where type = 'ping')`,
  )
  await world.database.db.pool.query(
    `update webhook_delivery set last_ms = 6000 where id =
      (select min(id::text)::uuid from webhook_delivery where created_at >= $1)`,
    [startedAt],
  )
})
afterAll(() => world.close())

/**
 * Another company, with a number in another country, knows the same customer, and later; and the shop had a
 * number there once.
 */
async function othersKnow(id: string) {
  const abroad = (name: string) =>
    createShop(world, { phoneNumberId: name, businessAccountId: name, country: 'AE' })
  const [stranger, former] = [await abroad('5'), await abroad('6')]
  await world.database.db.kysely
    .updateTable('channel')
    .set({ companyId: shop.companyId, isConnected: false, deletedAt: world.clock.now() })
    .where('id', '=', former.channelId)
    .execute()
  const member = await signedIn(world, { accountId: stranger.accountId })
  const { body } = await member.ask<{ id: string }>(
    'POST',
    `/companies/${stranger.companyId}/contacts`,
    { name: 'Maha', phone: '+966501234567' },
  )
  expect(body.id > id).toBe(true)
}

async function raise(count: number, about?: string) {
  const { db, ids, clock } = world.service.context
  for (let made = 0; made < count; made += 1) {
    await transaction(db, (tx) =>
      raiseEvent(
        tx,
        { ids, now: clock.now() },
        {
          type: 'ping',
          company: { id: shop.companyId, name: 'Shop' },
          data: { message: 'hello' },
          occurredAt: clock.now(),
          ...(about && { contactId: about }),
        },
      ),
    )
  }
}

const path = () => `/companies/${shop.companyId}/deliveries`
const since = () => ({ from: startedAt.toISOString() })
const text = (query: Record<string, string>) => new URLSearchParams(query).toString()
const search = async (query: Record<string, string>) =>
  (await owner.ask<DeliveryPage>('GET', `${path()}?${text({ ...since(), ...query })}`)).body.items
const count = async (query: Record<string, string>) =>
  (await owner.ask<BoundedCount>('GET', `${path()}/count?${text({ ...since(), ...query })}`)).body

describe('Counts', () => {
  test.each([
    [{}, 8],
    [{ state: 'delivered' }, 4],
    [{ type: 'ping' }, 8],
    [{ type: 'flow.failed' }, 0],
    [{ statusClass: '5' }, 4],
    [{ statusClass: '2' }, 4],
    [{ statusClass: '5', state: 'pending' }, 2],
    [{ slowerThanMs: '5000' }, 1],
    [{ slowerThanMs: '5999' }, 1],
    [{ slowerThanMs: '6000' }, 0],
    [{ slowerThanMs: '0', state: 'dead_lettered', type: 'ping' }, 2],
    [{ view: 'failed' }, 4],
    [{ view: 'retrying' }, 2],
    [{ view: 'gave_up' }, 2],
    [{ view: 'gave_up', state: 'pending' }, 0],
    [{ view: 'slow' }, 1],
    [{ view: 'failed', type: 'ping' }, 4],
    [{ phone: '0501234567' }, 2],
    [{ phone: '٠٠٩٦٦٥٠١٢٣٤٥٦٧' }, 2],
    [{ phone: '0509999999' }, 0],
    [{ phone: 'nobody' }, 0],
    [{ phone: '0501234567', contactId: '01890000-0000-7000-8000-000000000000' }, 0],
  ] as [Record<string, string>, number][])('%j: as many as the log shows', async (query, most) => {
    expect(await count(query)).toEqual({ count: most, isMore: false })
    expect(await search(query)).toHaveLength(most)
  })

  test('of the views come together, of one endpoint and of all', async () => {
    const views = async (query: Record<string, string>) =>
      (await owner.ask<DeliveryViewCounts>('GET', `${path()}/views?${text(query)}`)).body
    const exactly = (most: number) => ({ count: most, isMore: false })
    expect(await views(since())).toEqual({
      failed: exactly(4),
      retrying: exactly(2),
      gave_up: exactly(2),
      slow: exactly(1),
    })
    expect(await views({ ...since(), endpointId: shop.endpointId })).toMatchObject({
      failed: exactly(2),
      retrying: exactly(1),
    })
    expect(await views({ to: since().from })).toMatchObject({ failed: exactly(0) })
  })

  systemTest('go no further than 10,000, and say that there are more', async () => {
    const many = await createShop(world, { phoneNumberId: '8', businessAccountId: '8' })
    const member = await signedIn(world, { accountId: many.accountId })
    const fill = (rows: number) =>
      world.database.db.pool.query(
        `with happened as (
          insert into event (id, company_id, type, occurred_at)
          select new_uuid_v7($3), $1, 'ping', $3 from generate_series(1, $4) returning id
        )
        insert into webhook_delivery (id, company_id, endpoint_id, event_id, body_id, api_version,
          kind, state, attempts, last_ms, last_error, created_at, ended_at)
        select id, $1, $2, id, id, '2026-10', 'event', 'dead_lettered', 8, 9000, 'timeout', $3, $3
        from happened`,
        [many.companyId, many.endpointId, world.clock.now(), rows],
      )
    const counts = async () => {
      const base = `/companies/${many.companyId}/deliveries`
      const asked = ['', '?type=ping', '?error=timeout&type=ping', '?view=failed'].map(
        async (query) => (await member.ask<BoundedCount>('GET', `${base}/count${query}`)).body,
      )
      const views = (await member.ask<DeliveryViewCounts>('GET', `${base}/views`)).body
      return [...(await Promise.all(asked)), views.failed, views.gave_up, views.slow]
    }
    const most = LOG_LIMITS.countedMost
    await fill(most)
    for (const one of await counts()) expect(one).toEqual({ count: most, isMore: false })
    await fill(1)
    for (const one of await counts()) expect(one).toEqual({ count: most, isMore: true })
  })

  test('and the file are for Owner and Admin', async () => {
    for (const role of ROLES) {
      const member = await signedIn(world, { accountId: shop.accountId, role })
      const expected = role === 'agent' ? 403 : 200
      expect((await member.ask('GET', `${path()}/count`)).status).toBe(expected)
      expect((await member.ask('GET', `${path()}/views`)).status).toBe(expected)
      const exports = `/companies/${shop.companyId}/delivery-exports`
      expect((await member.ask('POST', exports, {})).status).toBe(expected)
    }
  })
})

test('A row names the customer, and how long the last attempt took', async () => {
  const [one] = await search({ contactId })
  expect(one).toMatchObject({
    contact: { name: 'Maha Rashid', phone: '+966501234567' },
    lastMs: expect.any(Number),
  })
  const [other] = await search({ state: 'delivered' })
  expect(other!.contact).toBeNull()
})

test('A delivery tells when it happened and what it is sent with, without the signature', async () => {
  const [one] = await search({ contactId })
  const { body } = await owner.ask<DeliveryDetail>('GET', `${path()}/${one!.id}`)
  expect(body.occurredAt).toBe(startedAt.toISOString())
  expect(body.requestHeaders).toContainEqual({ name: 'x-service-delivery', value: one!.id })
  expect(body.requestHeaders.map(({ name }) => name)).not.toContain('x-service-signature')
})

/** The lines of a file that is no JSON as a whole. */
async function linesOf({ token }: Member, { companyId }: Shop, json: object): Promise<string[]> {
  const response = await fetch(`${world.url}/api/companies/${companyId}/delivery-exports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  })
  expect(response.status).toBe(200)
  return (await response.text()).trim().split('\n')
}

describe('The log as a file', () => {
  const ask = (json: Record<string, unknown>) =>
    owner.ask<string>('POST', `/companies/${shop.companyId}/delivery-exports`, {
      ...since(),
      ...json,
    })

  test('holds what the filter finds, newest first, as CSV', async () => {
    const answer = await ask({ phone: '0501234567' })
    expect(answer.headers.get('content-disposition')).toContain('deliveries.csv')
    const lines = answer.body.trim().split('\r\n')
    expect(lines[0]).toContain('id,event_id,type,kind,endpoint,state')
    const shown = await search({ contactId })
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(shown.map(({ id }) => id))
  })

  test('or a line of JSON for each, as the log shows it', async () => {
    const lines = await linesOf(owner, shop, { ...since(), format: 'ndjson', view: 'gave_up' })
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      await search({ view: 'gave_up' }),
    )
  })

  test('is empty but for its head where nobody has the phone', async () => {
    expect((await ask({ phone: '0509999999' })).body.trim().split('\r\n')).toHaveLength(1)
  })

  test('goes over as many pages as there are', async () => {
    const many = await createShop(world, { phoneNumberId: '7', businessAccountId: '7' })
    const member = await signedIn(world, { accountId: many.accountId })
    const rows = LOG_LIMITS.exportPage + 1
    await world.database.db.pool.query(
      `with happened as (
        insert into event (id, company_id, type, occurred_at)
        select new_uuid_v7($3), $1, 'ping', $3 from generate_series(1, $4) returning id
      )
      insert into webhook_delivery (id, company_id, endpoint_id, event_id, body_id, api_version,
        kind, state, created_at, ended_at)
      select id, $1, $2, id, id, '2026-10', 'event', 'expired', $3, $3 from happened`,
      [many.companyId, many.endpointId, world.clock.now(), rows],
    )
    const lines = await linesOf(member, many, { format: 'ndjson' })
    const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id)
    expect(new Set(ids).size).toBe(rows)
  })

  test('looks past what does not match, however much it is', async () => {
    const many = await createShop(world, { phoneNumberId: '4', businessAccountId: '4' })
    const member = await signedIn(world, { accountId: many.accountId })
    // Only the oldest is what is looked for, and the index of its kind leads past all the others.
    await world.database.db.pool.query(
      `with happened as (
        insert into event (id, company_id, type, occurred_at)
        select new_uuid_v7($3), $1, 'ping', $3 from generate_series(0, $4) returning id
      )
      insert into webhook_delivery (id, company_id, endpoint_id, event_id, body_id, api_version,
        kind, state, created_at, ended_at)
      select id, $1, $2, id, id, '2026-10', 'resend',
        case when number = 1 then 'superseded' else 'expired' end, $3, $3
      from (select id, row_number() over (order by id) as number from happened) numbered`,
      [many.companyId, many.endpointId, world.clock.now(), LOG_LIMITS.scannedRows / 10],
    )
    const asked = { format: 'ndjson', kind: 'resend', state: 'superseded' }
    const [line] = await linesOf(member, many, asked)
    expect(JSON.parse(line!)).toMatchObject({ state: 'superseded' })
  })

  test('is written down before it is read, and a filter that cannot be is refused', async () => {
    await ask({ phone: '+966501234567', format: 'csv' })
    const { body } = await owner.ask<Page<AuditView>>('GET', '/audit?limit=1')
    expect(body.items[0]).toMatchObject({
      action: 'deliveries.exported',
      detail: { format: 'csv', isSearched: true },
    })
    // It would outlive the customer there.
    expect(JSON.stringify(body)).not.toContain('501234567')
    expect((await ask({ statusClass: 9, format: 'xls' })).status).toBe(422)
  })
})
