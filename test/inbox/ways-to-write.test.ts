/** On which channels a contact can be written to first, by which templates, and where not, why. Spec: Inbox › What may be sent. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ContactView, WayToWrite } from '../../src/contract/dashboard/contact.ts'
import type { SentReply } from '../../src/contract/dashboard/conversation.ts'
import { customerLockKey } from '../../src/messaging/lock-customer.ts'
import { waitUntilBlocked } from '../support/blocked.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
let agent: Member
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
})
afterAll(() => world.close())

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
  await world.service.context.db.kysely
    .updateTable('template')
    .set({ status: 'PENDING' })
    .where('companyId', '=', shop.companyId)
    .where('name', '!=', 'order_ready')
    .execute()
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
  const { db } = world.service.context
  const change = (set: object) =>
    db.kysely.updateTable('channel').set(set).where('id', '=', shop.channelId).execute()
  await change({ isConnected: false })
  expect(await waysTo({ id })).toMatchObject([{ whyNot: { code: 'channel_disconnected' } }])
  await change({ isConnected: true, type: 'whatsapp_qr' })
  expect(await waysTo({ id })).toEqual([])
  await change({ type: 'whatsapp' })
})

test('who is given another number while the message is written gets it there', async () => {
  const { id, phone } = await contact()
  const { pool } = world.database.db
  const change = await pool.connect()
  const lock = customerLockKey(shop.companyId, { kind: 'number', value: phone!.slice(1) })
  await change.query('begin')
  await change.query('select pg_advisory_xact_lock($1)', [String(lock)])
  const values = ['1', '2'].map((name) => ({ name, text: 'Sara' }))
  const template = { name: 'order_ready', body: values }
  const said = { contactId: id, channelId: shop.channelId, key: 'k', template }
  const path = `/companies/${shop.companyId}/conversations`
  const written = agent.ask<SentReply>('POST', path, said)
  await waitUntilBlocked('the message to wait for the number', pool, change)
  await change.query('update contact set phone = $1 where id = $2', ['+966501239999', id])
  await change.query('delete from contact_alias where contact_id = $1', [id])
  await change.query('commit')
  change.release()
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
  const queued = await world.database.db.kysely
    .selectFrom('message')
    .select('id')
    .where('companyId', '=', other.companyId)
    .execute()
  expect(queued).toEqual([])
})
