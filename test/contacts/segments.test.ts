/** Named filters of contacts. */
import { expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { SegmentView } from '../../src/contract/dashboard/segment.ts'
import { SEGMENT_LIMITS } from '../../src/core/limits/contacts.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { holdLock } from '../support/records/locks.ts'
import { fillSegments } from '../support/records/imports.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { signedIn, itemsOf, auditOf } from '../support/dashboard.ts'
import { newPhone } from '../support/simulator.ts'
import { customerWrites } from '../support/whatsapp-webhook.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const at = `/companies/${shop.companyId}`
const field = { key: 'size', label: 'Size', kind: 'number', choices: [] }
await write('Early')
world.clock.advance(3 * DAY_MS)
// The earlier session has expired by now.
const owner = await signedIn(world, { accountId: shop.accountId })
await owner.ask('POST', `${at}/contact-fields`, field)
const sara = { name: 'Sara', tags: ['VIP', 'new'], language: 'ar', fields: { size: '4' } }
const { body: made } = await owner.ask<ContactView>('POST', `${at}/contacts`, sara)
await owner.ask('POST', `${at}/contacts/${made.id}/opt-out`)
await owner.ask('POST', `${at}/contacts`, { name: 'Huda', tags: ['vip'], language: 'en' })
await write('Late')

async function write(name: string) {
  await customerWrites(world, shop, { from: newPhone(), name })
  await whatsApp.settle()
}
const create = (name: string, filter: object) =>
  owner.ask<SegmentView & { errors?: object[] }>('POST', `${at}/segments`, { name, filter })
const count = async (filter: object) =>
  (await owner.ask<{ count: number }>('POST', `${at}/segments/count`, { filter })).body.count
const namesOf = async (segmentId: string) => {
  const path = `${at}/contacts?segmentId=${segmentId}`
  const items = await itemsOf<ContactView>(owner, path)
  return items.map(({ name }) => name).toSorted()
}

test.each<[string, () => object, string[]]>([
  ['nothing: everybody', () => ({}), ['Early', 'Huda', 'Late', 'Sara']],
  ['a tag, whatever its case', () => ({ tags: ['Vip'] }), ['Huda', 'Sara']],
  ['each of several tags', () => ({ tags: ['vip', 'new'] }), ['Sara']],
  ['none of tags', () => ({ withoutTags: ['new', 'other'] }), ['Early', 'Huda', 'Late']],
  ['a value of a field, however it is written', () => ({ fields: { size: '٤' } }), ['Sara']],
  ['a language', () => ({ language: 'en' }), ['Huda']],
  ['what made it', () => ({ source: 'message' }), ['Early', 'Late']],
  ['opted out', () => ({ optedOut: true }), ['Sara']],
  ['not opted out, and a tag', () => ({ optedOut: false, tags: ['vip'] }), ['Huda']],
  ['a channel', () => ({ channelId: shop.channelId }), ['Early', 'Late']],
  ['a channel of nobody', () => ({ channelId: shop.flowId }), []],
  ['who wrote within days', () => ({ wroteWithinDays: 2 }), ['Late']],
  ['who was silent, or never wrote', () => ({ silentForDays: 2 }), ['Early', 'Huda', 'Sara']],
  [
    'who was silent on a channel',
    () => ({ silentForDays: 2, channelId: shop.channelId }),
    ['Early'],
  ],
])('A segment finds contacts by %s', async (name, filter, names) => {
  const { status, body } = await create(name, filter())
  expect(status).toBe(201)
  expect(await namesOf(body.id)).toEqual(names)
  expect(await count(filter())).toBe(names.length)
})

test('An export has the contacts of the segment and search, and the audit does not contain the search', async () => {
  const { id: segmentId } = (await create('Very important', { tags: ['vip'] })).body
  const namesIn = async (asked: object) => {
    const { body } = await owner.ask<string>('POST', `${at}/contact-exports`, asked)
    const lines = body.trim().split('\r\n').slice(1)
    return lines.map((line) => line.split(',')[1]).toSorted()
  }
  expect(await namesIn({ segmentId })).toEqual(['Huda', 'Sara'])
  expect(await namesIn({ q: 'late' })).toEqual(['Late'])
  expect(await namesIn({ segmentId, q: 'sara', optedOut: true })).toEqual(['Sara'])
  expect(await namesIn({ segmentId, q: 'sara', optedOut: false })).toEqual([])
  const audit = await auditOf(owner, shop)
  const exports = audit.filter(({ action }) => action === 'contacts.exported')
  expect(exports).toHaveLength(4)
  expect(JSON.stringify(exports)).not.toMatch(/sara/i)
  const ofNobody = { segmentId: shop.flowId }
  expect((await owner.ask('POST', `${at}/contact-exports`, ofNobody)).status).toBe(404)
  expect((await owner.ask('POST', `${at}/contact-exports`, { q: 'a' })).status).toBe(422)
})

test('A company may read all its contacts in two requests at a time, and others do not wait for it', async () => {
  const other = await whatsApp.openShop()
  const others = await signedIn(world, { accountId: other.accountId })
  const body = { filter: {} }
  await using contacts = await holdLock(world, 'the contacts')
  const two = [
    owner.ask('POST', `${at}/segments/count`, body),
    owner.ask('GET', `${at}/contact-duplicates`),
  ]
  await contacts.blocks('both wait', 2)
  for (const [method, path] of [
    ['POST', 'segments/count'],
    ['GET', 'contact-duplicates'],
  ] as const) {
    const third = await owner.ask(method, `${at}/${path}`, method === 'POST' ? body : undefined)
    const expected = { status: 429, body: { reason: 'whole_reads_at_once', params: { max: 2 } } }
    expect(third).toMatchObject(expected)
  }
  const theirs = others.ask('POST', `/companies/${other.companyId}/segments/count`, body)
  await contacts.blocks('theirs waits too', 3)
  await contacts.release()
  const done = await Promise.all([...two, theirs])
  expect(done.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await count({})).toBeGreaterThan(0)
})

test('A segment can be renamed, refiltered and deleted, and stores no contacts', async () => {
  const { id } = (await create('Mine', { tags: ['vip'] })).body
  const edited = await owner.ask('PATCH', `${at}/segments/${id}`, { filter: { tags: ['new'] } })
  expect(edited.body).toEqual({ id, name: 'Mine', filter: { tags: ['new'] } })
  const renamed = await owner.ask('PATCH', `${at}/segments/${id}`, { name: 'Ours' })
  expect(renamed.body).toEqual({ id, name: 'Ours', filter: { tags: ['new'] } })
  const listed = await owner.ask<{ items: SegmentView[] }>('GET', `${at}/segments`)
  expect(listed.body.items).toContainEqual(renamed.body)
  expect((await owner.ask('DELETE', `${at}/segments/${id}`)).status).toBe(204)
  expect((await owner.ask('DELETE', `${at}/segments/${id}`)).status).toBe(404)
  expect((await owner.ask('GET', `${at}/contacts?segmentId=${id}`)).status).toBe(404)
})

test('A name of another segment and an unknown field are refused', async () => {
  await create('Taken', {})
  const errors = async (name: string, filter: object) => {
    const { status, body } = await create(name, filter)
    return [status, body.errors]
  }
  const expected = [422, [{ field: 'name', code: 'segment_name_taken' }]]
  expect(await errors('taken', {})).toMatchObject(expected)
  expect(await errors('Other', { fields: { none: '1' } })).toMatchObject([
    422,
    [{ field: 'filter.fields.none', code: 'unknown_contact_field' }],
  ])
})

test('Owners and Admins make segments, Agents see them, and other companies do not', async () => {
  const { id } = (await create('Shared', {})).body
  const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  expect((await agent.ask('GET', `${at}/segments`)).status).toBe(200)
  expect((await agent.ask('POST', `${at}/segments`, { name: 'A', filter: {} })).status).toBe(403)
  const stranger = await whatsApp.openShop()
  const its = await signedIn(world, { accountId: stranger.accountId })
  const path = `/companies/${stranger.companyId}`
  expect((await its.ask('GET', `${path}/contacts?segmentId=${id}`)).status).toBe(404)
  expect((await its.ask('PATCH', `${path}/segments/${id}`, { name: 'B' })).status).toBe(404)
})

test('A company has up to 100 segments', async () => {
  await fillSegments(world, shop, SEGMENT_LIMITS.segments)
  const expected = { status: 409, body: { code: 'limit_reached' } }
  expect(await create('One more', {})).toMatchObject(expected)
})
