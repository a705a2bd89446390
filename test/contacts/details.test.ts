/** Of a contact what is its own, and of its fields and tags what is there. Spec: Contacts › Fields; Contacts › Phones. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditView } from '../../src/contract/dashboard/account.ts'
import type {
  ContactFieldView,
  ContactView,
  ListedContact,
  TimelineEntry,
} from '../../src/contract/dashboard/contact.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { HOUR_MS } from '../../src/limits/units.ts'
import { customerLockKey } from '../../src/messaging/lock-customer.ts'
import { countBlockedBy, pidOf } from '../support/blocked.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { waitUntil } from '../support/wait.ts'

let world: World
let shop: Shop
let owner: Member
let at: string
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  at = `/companies/${shop.companyId}`
})
afterAll(() => world.close())

const make = (input: object) => owner.ask<ContactView>('POST', `${at}/contacts`, input)

async function talk(id: string, contactId: string, wroteAgoMs: number) {
  const { companyId, channelId } = shop
  const createdAt = world.clock.now()
  const lastCustomerAt = new Date(createdAt.getTime() - wroteAgoMs)
  const own = { id, companyId, channelId, channelType: 'whatsapp', contactId, filedUnder: id }
  await world.database.db.kysely
    .insertInto('conversation')
    .values({ ...own, lastCustomerAt, createdAt })
    .execute()
}

test('A field that is archived takes no values; one that is saved as it is leaves no trace', async () => {
  const city = { key: 'city', label: 'City', kind: 'text' }
  const { body } = await owner.ask<ContactFieldView>('POST', `${at}/contact-fields`, city)
  const path = `${at}/contact-fields/${body.id}`
  const edited = async () => {
    const audit = await owner.ask<Page<AuditView>>('GET', '/audit?action=contact_field.edited')
    return audit.body.items.length
  }
  expect((await owner.ask('PATCH', path, { label: 'City' })).status).toBe(200)
  expect(await edited()).toBe(0)
  await owner.ask('PATCH', path, { isArchived: true })
  expect(await edited()).toBe(1)
  expect(await make({ name: 'Sara', fields: { city: 'Jeddah' } })).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'fields.city', code: 'unknown_contact_field' }] },
  })
})

test('Of two who write one number down at once one makes the contact, and the other is refused', async () => {
  const { pool } = world.database.db
  const phone = '+966501112233'
  const gate = await pool.connect()
  const lock = customerLockKey(shop.companyId, { kind: 'number', value: phone.slice(1) })
  try {
    await gate.query('begin')
    await gate.query('select pg_advisory_xact_lock($1)', [String(lock)])
    const both = [make({ phone }), make({ phone })]
    const pid = await pidOf(gate)
    await waitUntil('both wait', async () => (await countBlockedBy(pool, pid)) === 2)
    await gate.query('commit')
    const statuses = (await Promise.all(both)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, 409])
  } finally {
    gate.release()
  }
})

test('It was seen when it wrote last in any of its conversations, and its history has none of another', async () => {
  const { id } = (await make({ name: 'Huda' })).body
  const other = (await make({ name: 'Omar' })).body.id
  await talk('c_early', id, 2 * HOUR_MS)
  await talk('c_late', id, HOUR_MS)
  await talk('c_other', other, 0)
  const list = await owner.ask<Page<ListedContact>>('GET', `${at}/contacts?q=Huda`)
  const wroteLast = new Date(world.clock.now().getTime() - HOUR_MS)
  expect(list.body.items).toMatchObject([{ id, lastSeenAt: wroteLast.toISOString() }])
  const { body } = await owner.ask<Page<TimelineEntry>>('GET', `${at}/contacts/${id}/timeline`)
  const talks = body.items.filter(({ kind }) => kind === 'conversation')
  expect(talks.map((entry) => entry.id)).toEqual(['c_late', 'c_early'])
})

test('Tags that differ in case alone are listed as one', async () => {
  await make({ name: 'One', tags: ['Wholesale'] })
  await make({ name: 'Two', tags: ['wholesale'] })
  await make({ name: 'Three', tags: ['WHOLESALE'] })
  const { body } = await owner.ask<{ items: { tag: string }[] }>('GET', `${at}/tags`)
  expect(body.items.filter(({ tag }) => tag.toLowerCase() === 'wholesale')).toHaveLength(1)
})
