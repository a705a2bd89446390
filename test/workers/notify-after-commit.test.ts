/**
 * Rows that need work are processed after their commit. The clock does not move here, so that no worker finds a
 * row by polling.
 */
import { expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { signedIn } from '../support/dashboard.ts'
import { inboxOf, reply } from '../support/inbox.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { newPhone } from '../support/simulator.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const owner = await signedIn(world, { accountId: shop.accountId })
const at = `/companies/${shop.companyId}`
const talk = await inboxOf({ world, whatsApp }, shop).talk(newPhone(), 'Hello')
await whatsApp.settle()

const doWhatWasWoken = () => world.service.processAll()

test('A reply of a member is sent', async () => {
  expect((await reply(owner, talk, 'It is on its way')).status).toBe(201)
  await doWhatWasWoken()
  expect(whatsApp.simulator.messages().at(-1)).toMatchObject({ text: 'It is on its way' })
})

test('A message of a flow is sent', async () => {
  const phone = newPhone()
  await shop.order(phone)
  await doWhatWasWoken()
  expect(whatsApp.simulator.messages().at(-1)).toMatchObject({ to: phone.slice(1) })
})

test('A tag is renamed on all contacts that have it', async () => {
  const customer = { name: 'Sara', phone: newPhone(), tags: ['regular'] }
  const { body } = await owner.ask<ContactView>('POST', `${at}/contacts`, customer)
  await doWhatWasWoken()
  await owner.ask('POST', `${at}/tags/rename`, { tag: 'regular', newTag: 'loyal' })
  await doWhatWasWoken()
  const renamed = await owner.ask<ContactView>('GET', `${at}/contacts/${body.id}`)
  expect(renamed.body.tags).toEqual(['loyal'])
})

test('All open conversations are closed', async () => {
  const { status } = await owner.ask('POST', `${at}/conversations/bulk-close`, { filter: {} })
  expect(status).toBe(202)
  await doWhatWasWoken()
  expect(await talk.seen()).toMatchObject({ status: 'resolved' })
})
