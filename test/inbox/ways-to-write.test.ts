/** On which channels a contact can be written to first, by which templates, and where not, why. Spec: Inbox › What may be sent. */
import { expect, test } from 'vitest'
import type { ContactView, WayToWrite } from '../../src/contract/dashboard/contact.ts'
import type { SentReply } from '../../src/contract/dashboard/conversation.ts'
import { holdLock } from '../support/records/locks.ts'
import { describeContact } from '../support/records/contacts.ts'
import { forgetAliases } from '../support/records/aliases.ts'
import { setChannelType, setConnected } from '../support/records/channels.ts'
import { putTemplates, templatesOf } from '../support/records/templates.ts'
import { messagesOf } from '../support/records/messages.ts'
import { openWorld } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { createShop } from '../support/shop.ts'

const world = await openWorld()
const shop = await createShop(world)
const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })

let serial = 0
async function contact(more: object = {}): Promise<ContactView> {
  serial += 1
  const phone = `+96650123000${serial}`
  const path = `/companies/${shop.companyId}/contacts`
  const { body, status } = await agent.ask<ContactView>('POST', path, { phone, ...more })
  expect(status).toBe(201)
  return body
}
async function waysTo({ id }: { id: string }, who = agent): Promise<WayToWrite[]> {
  const path = `/companies/${shop.companyId}/contacts/${id}/ways-to-write`
  const { body, status } = await who.ask<{ items: WayToWrite[] }>('GET', path)
  expect(status).toBe(200)
  return body.items
}

test('an Agent is offered the approved templates of a channel that can be written on', async () => {
  const { id } = await contact()
  for (const { name } of await templatesOf(world, { channelId: shop.channelId })) {
    if (name === 'order_ready') continue
    await putTemplates(world, { channelId: shop.channelId, name }, { status: 'PENDING' })
  }
  const ways = await waysTo({ id })
  expect(ways).toMatchObject([{ channel: { id: shop.channelId }, whyNot: null }])
  expect(new Set(ways[0]!.templates.map(({ name }) => name))).toEqual(new Set(['order_ready']))
})

test('who has stopped all messages is written to on none, and it is said', async () => {
  const { id } = await contact()
  await agent.ask('POST', `/companies/${shop.companyId}/contacts/${id}/opt-out`)
  expect(await waysTo({ id })).toMatchObject([
    { whyNot: { code: 'start_opted_out' }, templates: [] },
  ])
})

test('who has no number waits to be written by', async () => {
  expect(await waysTo(await contact({ phone: null, name: 'Maha' }))).toMatchObject([
    { whyNot: { code: 'contact_without_number' }, templates: [] },
  ])
})

test('a channel that is not connected says so; one on which only customers begin is not offered', async () => {
  const { id } = await contact()
  await setConnected(world, shop, false)
  expect(await waysTo({ id })).toMatchObject([{ whyNot: { code: 'channel_disconnected' } }])
  await setConnected(world, shop, true)
  await setChannelType(world, shop, 'whatsapp_qr')
  expect(await waysTo({ id })).toEqual([])
  await setChannelType(world, shop, 'whatsapp')
})

test('who is given another number while the message is written gets it there', async () => {
  const { id, phone } = await contact()
  const number = { companyId: shop.companyId, phone: phone! }
  await using change = await holdLock(world, number)
  const values = ['1', '2'].map((name) => ({ name, text: 'Sara' }))
  const template = { name: 'order_ready', body: values }
  const said = { contactId: id, channelId: shop.channelId, key: 'k', template }
  const path = `/companies/${shop.companyId}/conversations`
  const written = agent.ask<SentReply>('POST', path, said)
  await change.blocks('the message to wait for the number')
  await describeContact(change.inside, id, { phone: '+966501239999' })
  await forgetAliases(change.inside, id)
  await change.release()
  const { status, body } = await written
  expect([status, body.conversation.contact]).toMatchObject([201, { id, phone: '+966501239999' }])
})

test('a contact of another company is none of this one’s, whatever id is asked for', async () => {
  const other = await createShop(world, { phoneNumberId: '71', businessAccountId: '72' })
  const stranger = await signedIn(world, { accountId: other.accountId })
  const { id: contactId } = await contact()
  const asked = {
    contactId,
    channelId: other.channelId,
    key: 'k-of-a-stranger',
    template: { name: 'order_ready', body: ['1', '2'].map((name) => ({ name, text: 'x' })) },
  }
  const path = `/companies/${other.companyId}/conversations`
  expect(await stranger.ask('POST', path, asked)).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'contactId', code: 'unknown_contact' }] },
  })
  const queued = await messagesOf(world, { companyId: other.companyId })
  expect(queued).toEqual([])
})
