/** The delivery log shows more than its rows: counts, views, the customer, and its rows as a file. */
import { describe, expect, test } from 'vitest'
import type {
  DeliveryDetail,
  DeliveryPage,
  DeliveryViewCounts,
} from '../../src/contract/dashboard/delivery.ts'
import type { BoundedCount } from '../../src/contract/dashboard/endpoint.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { AuditView } from '../../src/contract/dashboard/account.ts'
import { LOG_LIMITS } from '../../src/core/limits/deliveries.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { type Member } from '../support/dashboard.ts'
import { addEndpoint, raisePings } from '../support/deliveries.ts'
import { openOwnedShop, ownedShop } from '../support/owned-shop.ts'
import { putChannel } from '../support/records/channels.ts'
import { addDeliveries, deliveriesOf, putDeliveries } from '../support/records/deliveries.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

/**
 * Lets another company, with a number in another country, know the same customer, and later. The shop had a number
 * there once.
 */
async function othersKnow(id: string) {
  const stranger = await ownedShop(world, { country: 'AE' })
  const former = await createOwnShop(world, { country: 'AE' })
  const { companyId } = shop
  await putChannel(world, former.channelId, {
    companyId,
    isConnected: false,
    deletedAt: world.clock.now(),
  })
  const contacts = `/companies/${stranger.shop.companyId}/contacts`
  const { body } = await stranger.owner.ask<{ id: string }>('POST', contacts, {
    name: 'Maha',
    phone: '+966501234567',
  })
  expect(body.id > id).toBe(true)
}

const path = () => `/companies/${shop.companyId}/deliveries`
const since = () => ({ from: startedAt.toISOString() })
const text = (query: Record<string, string>) => new URLSearchParams(query).toString()

const { world, shop, owner } = await openOwnedShop()
await addEndpoint(world, shop)
const maha = { name: 'Maha Rashid', phone: '+966501234567' }
const contacts = `/companies/${shop.companyId}/contacts`
const contactId = (await owner.ask<{ id: string }>('POST', contacts, maha)).body.id
await othersKnow(contactId)
await world.service.processAll()
world.clock.advance(MINUTE_MS)
const startedAt = world.clock.now()
// Two endpoints get four events: four deliveries succeed, four fail, and two of those are given up.
await raisePings(world, shop, 2)
await world.service.processAll()
world.receiver.answerWith(503)
await raisePings(world, shop, 1, { contactId })
await raisePings(world, shop)
await world.service.processAll()
world.receiver.answerWith(204)
const made = await deliveriesOf(world, shop)
const eventId = made
  .map((delivery) => delivery.eventId)
  .toSorted()
  .at(-1)!
const ended = (await deliveriesOf(world, shop, { eventId })).map(({ id }) => id)
await putDeliveries(world, ended, { state: 'dead_lettered', dueAt: null, queue: null })
const first = made.find(({ createdAt }) => createdAt >= startedAt)!
await putDeliveries(world, [first.id], { lastMs: 6_000 })
const search = async (query: Record<string, string>) =>
  (await owner.ask<DeliveryPage>('GET', `${path()}?${text({ ...since(), ...query })}`)).body.items
const count = async (query: Record<string, string>) =>
  (await owner.ask<BoundedCount>('GET', `${path()}/count?${text({ ...since(), ...query })}`)).body

describe('Counts', () => {
  systemTest.each([
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
  ] as [Record<string, string>, number][])('%j: as many as the log shows', async (query, max) => {
    expect(await count(query)).toEqual({ count: max, isMore: false })
    expect(await search(query)).toHaveLength(max)
  })

  test('return all views together, for one endpoint and for all', async () => {
    const views = async (query: Record<string, string>) =>
      (await owner.ask<DeliveryViewCounts>('GET', `${path()}/views?${text(query)}`)).body
    const exactly = (max: number) => ({ count: max, isMore: false })
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

  systemTest('go up to 10,000, and say that there are more', async () => {
    const { shop: many, owner: member } = await ownedShop(world)
    const fill = (rows: number) =>
      addDeliveries(world, many, Array<string>(rows).fill('dead_lettered'), {
        attempts: 8,
        lastMs: 9_000,
        lastError: 'timeout',
      })
    const counts = async () => {
      const base = `/companies/${many.companyId}/deliveries`
      const asked = ['', '?type=ping', '?error=timeout&type=ping', '?view=failed'].map(
        async (query) => (await member.ask<BoundedCount>('GET', `${base}/count${query}`)).body,
      )
      const views = (await member.ask<DeliveryViewCounts>('GET', `${base}/views`)).body
      return [...(await Promise.all(asked)), views.failed, views.gave_up, views.slow]
    }
    const max = LOG_LIMITS.maxCounted
    await fill(max)
    for (const one of await counts()) expect(one).toEqual({ count: max, isMore: false })
    await fill(1)
    for (const one of await counts()) expect(one).toEqual({ count: max, isMore: true })
  })
})

test('A row names the customer, and how long the last attempt took', async () => {
  const contact = { name: 'Maha Rashid', phone: '+966501234567' }
  expect((await search({ contactId }))[0]).toMatchObject({ contact, lastMs: expect.any(Number) })
  expect((await search({ state: 'delivered' }))[0]!.contact).toBeNull()
})

test('A delivery shows when its event happened and what it is sent with, without the signature', async () => {
  const [one] = await search({ contactId })
  const { body } = await owner.ask<DeliveryDetail>('GET', `${path()}/${one!.id}`)
  expect(body.occurredAt).toBe(startedAt.toISOString())
  expect(body.requestHeaders).toContainEqual({ name: 'x-service-delivery', value: one!.id })
  expect(body.requestHeaders.map(({ name }) => name)).not.toContain('x-service-signature')
})

/** Returns the lines of a file that is no JSON as a whole. */
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

  test('holds the rows of the filter, newest first, as CSV', async () => {
    const answer = await ask({ phone: '0501234567' })
    expect(answer.headers.get('content-disposition')).toContain('deliveries.csv')
    const lines = answer.body.trim().split('\r\n')
    expect(lines[0]).toContain('id,event_id,type,kind,endpoint,state')
    const shown = await search({ contactId })
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(shown.map(({ id }) => id))
    // No customer has this phone: only the header is left.
    expect((await ask({ phone: '0509999999' })).body.trim().split('\r\n')).toEqual([lines[0]])
  })

  test('has a line of JSON for each delivery, as the log shows it', async () => {
    const lines = await linesOf(owner, shop, { ...since(), format: 'ndjson', view: 'gave_up' })
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      await search({ view: 'gave_up' }),
    )
  })

  test('reads as many pages as there are', async () => {
    const { shop: many, owner: member } = await ownedShop(world)
    const rows = LOG_LIMITS.exportPage + 1
    await addDeliveries(world, many, Array<string>(rows).fill('expired'))
    const lines = await linesOf(member, many, { format: 'ndjson' })
    const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id)
    expect(new Set(ids).size).toBe(rows)
  })

  test('searches past any number of rows that do not match', async () => {
    const { shop: many, owner: member } = await ownedShop(world)
    const others = Array<string>(LOG_LIMITS.scannedRows / 10).fill('expired')
    // The search is for the oldest only, and the index of its kind leads past all the others.
    await addDeliveries(world, many, ['superseded', ...others], { kind: 'resend' })
    const asked = { format: 'ndjson', kind: 'resend', state: 'superseded' }
    const [line] = await linesOf(member, many, asked)
    expect(JSON.parse(line!)).toMatchObject({ state: 'superseded' })
  })

  test('is recorded before it is read, and an invalid filter is refused', async () => {
    await ask({ phone: '+966501234567', format: 'csv' })
    const { body } = await owner.ask<Page<AuditView>>('GET', '/audit?limit=1')
    expect(body.items[0]).toMatchObject({
      action: 'deliveries.exported',
      detail: { format: 'csv', isSearched: true },
    })
    // The phone would outlive the customer in the audit log.
    expect(JSON.stringify(body)).not.toContain('501234567')
    expect((await ask({ statusClass: 9, format: 'xls' })).status).toBe(422)
  })
})
