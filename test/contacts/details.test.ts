/** Of a contact what is its own, and of its fields and tags what is there. Spec: Contacts › Fields; Contacts › Phones. */
import { expect, test } from 'vitest'
import type { AuditView } from '../../src/contract/dashboard/account.ts'
import type {
  ContactFieldView,
  ContactView,
  ListedContact,
  TimelineEntry,
} from '../../src/contract/dashboard/contact.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { HOUR_MS } from '../../src/limits/units.ts'
import { holdLock } from '../support/records/locks.ts'
import { addConversation } from '../support/records/conversations.ts'
import { openWorld } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { createShop } from '../support/shop.ts'

const world = await openWorld()
const shop = await createShop(world)
const owner = await signedIn(world, { accountId: shop.accountId })
const at = `/companies/${shop.companyId}`

const make = (input: object) => owner.ask<ContactView>('POST', `${at}/contacts`, input)

async function talk(id: string, contactId: string, wroteAgoMs: number) {
  const lastCustomerAt = new Date(world.clock.now().getTime() - wroteAgoMs)
  await addConversation(world, shop, { id, contactId, lastCustomerAt })
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
  const phone = '+966501112233'
  await using gate = await holdLock(world, { companyId: shop.companyId, phone })
  const both = [make({ phone }), make({ phone })]
  await gate.blocks('both wait', 2)
  await gate.release()
  const statuses = (await Promise.all(both)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([201, 409])
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
