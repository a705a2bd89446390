/** Changes of contacts by members, flows, imports and customers' keywords: written once, with one event. */
import { beforeEach, describe, expect, test } from 'vitest'
import { transaction } from '../../src/infra/database/transaction.ts'
import { CONTACT_LIMITS } from '../../src/core/limits/contacts.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { editContacts } from '../../src/modules/messaging/edit-contacts.ts'
import type { ContactChange } from '../../src/modules/messaging/plan-edit.ts'
import {
  readCompanyCountry,
  readCountries,
} from '../../src/modules/messaging/read-written-phone.ts'
import { envelopesOf } from '../support/records/events.ts'
import { addContact, contactOf, optOutChangesOf } from '../support/records/contacts.ts'
import { deleteChannel } from '../support/records/channels.ts'
import { moveChannel } from '../support/records/credentials.ts'
import { openWorld } from '../support/open-world.ts'
import { createOwnShop, createShop } from '../support/shop.ts'

let contactId: string
const world = await openWorld()
const shop = await createShop(world)
beforeEach(async () => {
  world.clock.advance(HOUR_MS)
  contactId = await add()
})

const add = (more: { tags?: string[]; fields?: Record<string, string> } = {}) =>
  addContact(world, shop, { name: 'Sara', ...more })

const edit = (...changes: (ContactChange & { contactId?: string; companyId?: string })[]) => {
  const { db, ids, clock } = world.service.context
  return transaction(db, (tx) =>
    editContacts(
      tx,
      { ids, now: clock.now() },
      changes.map(({ companyId = shop.companyId, ...change }) => ({
        contactId,
        ...change,
        company: { id: companyId, name: 'Shop' },
      })),
    ),
  )
}
const read = (id = contactId) => contactOf(world, id)
/** Returns the events about a contact, oldest first, with the contact that each shows. */
async function contactEvents(id = contactId) {
  const events = await envelopesOf(world, { contactId: id })
  return events.map(({ type, data }) => ({ type, ...(data.contact as Record<string, unknown>) }))
}
const types = async (id = contactId) => (await contactEvents(id)).map(({ type }) => type)
const outAt = (at: Date) => ({ optedOut: true, at, how: 'stop' }) as const

describe('Changes of contacts', () => {
  test('in one transaction are one contact.updated, in the order they were made', async () => {
    await edit(
      { fields: { city: 'Jeddah', size: '42' } },
      { fields: { city: 'Riyadh' }, addTags: ['vip', 'new'] },
      { email: 'sara@example.com', language: 'ar', name: 'سارة أحمد' },
    )
    expect(await contactEvents()).toMatchObject([
      {
        type: 'contact.updated',
        name: 'سارة أحمد',
        email: 'sara@example.com',
        language: 'ar',
        tags: ['vip', 'new'],
        fields: { city: 'Riyadh', size: '42' },
      },
    ])
    expect(await read()).toMatchObject({ searchName: 'saru ahmd' })
  })

  test('raise no event and write nothing when they leave every value as it is', async () => {
    await edit({ fields: { a: '1', b: '2' }, addTags: ['one', 'two'] })
    const before = await read()
    world.clock.advance(MINUTE_MS)
    const edited = await edit({
      name: 'Sara',
      fields: { b: '2', a: '1', c: null },
      addTags: ['TWO', 'one'],
      removeTags: ['three'],
    })
    expect(edited.get(contactId)!.isChanged).toBe(false)
    expect(await read()).toEqual(before)
    expect(await types()).toEqual(['contact.updated'])
  })

  test('to fields that no event shows raise none', async () => {
    await edit({ rawPhone: '0501234567' })
    expect(await read()).toMatchObject({ rawPhone: '0501234567' })
    expect(await types()).toEqual([])
  })

  test('to many contacts raise an event for each, in the order of the edits', async () => {
    const other = await add()
    await edit(
      { contactId: other, addTags: ['b'] },
      { addTags: ['a'] },
      { contactId: other, name: 'B' },
    )
    expect(await contactEvents(other)).toMatchObject([{ name: 'B', tags: ['b'] }])
    expect(await contactEvents()).toMatchObject([{ tags: ['a'] }])
  })

  test('to a contact of another company fail as not found', async () => {
    const other = await createOwnShop(world)
    const edited = await edit({ companyId: other.companyId, name: 'Omar' })
    expect([...edited]).toEqual([])
    expect(await read()).toMatchObject({ name: 'Sara' })
  })
})

describe('Tags', () => {
  test('are unique without case, stay as first written, and are removed without case', async () => {
    await edit({ addTags: ['VIP', 'vip', 'عميل'] })
    await edit({ addTags: ['Vip'], removeTags: ['عميل'] })
    expect((await read()).tags).toEqual(['VIP'])
    await edit({ removeTags: ['vIp'] })
    expect((await read()).tags).toEqual([])
  })

  test('are at most 50 for a contact: the others are left out and named', async () => {
    const many = Array.from({ length: CONTACT_LIMITS.tags + 2 }, (_, nth) => `t${nth}`)
    const edited = await edit({ addTags: many })
    expect(edited.get(contactId)!.tagsLeftOut).toEqual(['t50', 't51'])
    expect((await read()).tags).toHaveLength(50)
  })
})

describe('Opting out', () => {
  const changes = () => optOutChangesOf(world, contactId)

  test('together with other changes raises contact.opted_out alone', async () => {
    await edit({ addTags: ['gone'], optOut: outAt(world.clock.now()) })
    expect(await contactEvents()).toMatchObject([
      { type: 'contact.opted_out', tags: ['gone'], optedOut: true },
    ])
  })

  test('is recorded with how, when and why, and so is opting in again, each once', async () => {
    const at = world.clock.now()
    await edit({ optOut: outAt(at) })
    await edit({ optOut: outAt(at) })
    world.clock.advance(MINUTE_MS)
    const later = world.clock.now()
    await edit({ optOut: { optedOut: false, at: later, how: 'member', reason: 'asked for it' } })
    expect(await types()).toEqual(['contact.opted_out', 'contact.updated'])
    expect(await changes()).toMatchObject([
      { isOptedOut: true, how: 'stop', actorId: null, reason: null, at },
      { isOptedOut: false, how: 'member', actorId: null, reason: 'asked for it', at: later },
    ])
  })

  test('by a keyword that is older than the newest one changes nothing', async () => {
    const now = world.clock.now()
    await edit({ optOut: { optedOut: false, at: now, how: 'start' } })
    await edit({ optOut: outAt(new Date(now.getTime() - 1)) })
    expect(await types()).toEqual([])
    expect(await changes()).toEqual([])
    await edit({ optOut: outAt(now) })
    expect(await types()).toEqual(['contact.opted_out'])
  })
})

test('The country that is offered for a phone number is that of the company’s current numbers', async () => {
  const { kysely } = world.database.db
  const other = await createOwnShop(world, { country: 'KW' })
  const countries = async () => (await readCountries(kysely, shop.companyId)).toSorted()
  expect(await countries()).toEqual(['SA'])
  await moveChannel(world, other, shop)
  expect(await countries()).toEqual(['KW', 'SA'])
  expect(await readCompanyCountry(kysely, shop.companyId)).toBeNull()
  await deleteChannel(world, other)
  expect(await countries()).toEqual(['SA'])
  expect(await readCompanyCountry(kysely, shop.companyId)).toBe('SA')
})
