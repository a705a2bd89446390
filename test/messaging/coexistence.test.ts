/** A number that its owner uses in WhatsApp's own app too: what was said before, and whom the phone knows. */
import { describe, expect, test } from 'vitest'
import type { ChannelView } from '../../src/contract/dashboard/channel.ts'
import { signMetaWebhook } from '../../src/channels/meta/signature.ts'
import { messagesOf } from '../support/records/messages.ts'
import { transactionsOf } from '../support/records/faults.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { openWorld } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { APP_SECRET, createShop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

const OWN = '15550783881'
const SARA = '16505551234'

const world = await openWorld()
const shop = await createShop(world, { displayNumber: OWN })

async function tell(field: string, value: object): Promise<void> {
  const metadata = { display_phone_number: OWN, phone_number_id: shop.phoneNumberId }
  const change = { field, value: { messaging_product: 'whatsapp', metadata, ...value } }
  const entry = [{ id: shop.businessAccountId, changes: [change] }]
  const body = Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry }))
  const headers = { 'x-hub-signature-256': signMetaWebhook(body, APP_SECRET) }
  const response = await fetch(`${world.url}/webhooks/whatsapp`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  await world.service.processAll()
}

const chunk = (phase: number, progress: number, id: string) => ({
  history: [
    {
      metadata: { phase, chunk_order: 1, progress },
      threads: [
        {
          id: SARA,
          messages: [
            { from: SARA, id, timestamp: '1739230955', type: 'text', text: { body: 'STOP' } },
          ],
        },
      ],
    },
  ],
})

async function view(): Promise<ChannelView> {
  const owner = await signedIn(world, { accountId: shop.accountId })
  const path = `/companies/${shop.companyId}/channels/${shop.channelId}`
  return (await owner.ask<ChannelView>('GET', path)).body
}

const contacts = () => contactsOf(world, { companyId: shop.companyId })

const addressBook = (action: string, full_name: string, phone_number: string) => ({
  state_sync: [{ type: 'contact', action, contact: { full_name, phone_number } }],
})

describe('The history of such a number', () => {
  test('comes silently, and tells how far it has come whatever the order of its parts', async () => {
    expect(await view()).toMatchObject({ isCoexistence: false, history: null })
    await tell('history', chunk(1, 55, 'wamid.one'))
    expect(await view()).toMatchObject({
      isCoexistence: true,
      history: { percent: 55, isDeclined: false },
    })
    await tell('history', chunk(0, 20, 'wamid.two'))
    expect((await view()).history).toMatchObject({ percent: 55 })
    await tell('history', chunk(2, 100, 'wamid.three'))
    expect((await view()).history).toMatchObject({ percent: 100 })
    const told = world.receiver.received.map(({ event }) => event.type)
    expect(told.filter((type) => type !== 'contact.created')).toEqual([])
    expect(await contacts()).toMatchObject([{ phone: `+${SARA}`, optedOutAt: null }])
  })

  test('that the owner does not share is told of', async () => {
    await tell('history', { history: [{ errors: [{ code: 2593109, title: 'turned off' }] }] })
    expect((await view()).history).toMatchObject({ isDeclined: true })
  })
})

describe('The address book of its phone', () => {
  test('makes nobody a contact', async () => {
    await tell('smb_app_state_sync', addressBook('add', 'Somebody', '16505559999'))
    expect(await contacts()).toHaveLength(1)
  })

  test('names nobody as it no longer does', async () => {
    await tell('smb_app_state_sync', addressBook('remove', 'Sara of before', SARA))
    expect(await contacts()).toMatchObject([{ name: null }])
  })

  test('names who has no name yet, and nobody else', async () => {
    await tell('smb_app_state_sync', addressBook('add', 'Sara Haddad', SARA))
    expect(await contacts()).toMatchObject([{ name: 'Sara Haddad' }])
    await tell('smb_app_state_sync', addressBook('add', 'Another name', SARA))
    await tell('smb_app_state_sync', addressBook('remove', 'Sara Haddad', SARA))
    expect(await contacts()).toMatchObject([{ name: 'Sara Haddad' }])
    const updated = world.receiver.received.filter(({ event }) => event.type === 'contact.updated')
    expect(updated).toHaveLength(1)
  })
})

systemTest(
  'A phone that knows very many is taken in by parts: no transaction locks more people than the database has locks for',
  async () => {
    const numbers = Array.from({ length: 201 }, (_, at) => `1650666${1000 + at}`)
    const threads = numbers.map((id) => ({
      id,
      messages: [
        {
          from: id,
          id: `wamid.of-${id}`,
          timestamp: '1739230955',
          type: 'text',
          text: { body: 'hi' },
        },
      ],
    }))
    await tell('history', {
      history: [{ metadata: { phase: 2, chunk_order: 1, progress: 100 }, threads }],
    })
    const messages = await transactionsOf(world, shop, { providerMessageIds: 'wamid.of-' })
    expect(messages).toEqual({ records: 201, transactions: 9 })
    const state_sync = numbers.flatMap((phone) => addressBook('add', 'Known', phone).state_sync)
    await tell('smb_app_state_sync', { state_sync })
    const named = await transactionsOf(world, shop, { contactsNamed: 'Known' })
    expect(named).toEqual({ records: 201, transactions: 2 })
  },
)

test('What is imported, and what its owner sends, has what cards and locations say', async () => {
  const shown = { name: { formatted_name: 'Omar' }, phones: [{ phone: '+966 50' }] }
  const card = { type: 'contacts', contacts: [shown] }
  const place = { type: 'location', location: { latitude: 24.7, longitude: 46.6 } }
  const timestamp = '1739230955'
  const past = { from: SARA, timestamp }
  const messages = [
    { ...past, id: 'wamid.card', ...card },
    { ...past, id: 'wamid.place', ...place },
  ]
  const metadata = { phase: 0, chunk_order: 1, progress: 1 }
  await tell('history', { history: [{ metadata, threads: [{ id: SARA, messages }] }] })
  const echo = { from: OWN, to: SARA, id: 'wamid.own', timestamp, ...card }
  await tell('smb_message_echoes', { message_echoes: [echo] })
  const kept = (await messagesOf(world, shop)).filter(({ type }) => type !== 'text')
  const byId = kept.toSorted((a, b) => (a.providerMessageId! < b.providerMessageId! ? -1 : 1))
  expect(byId).toMatchObject([
    { providerMessageId: 'wamid.card', type: 'contact', text: null, transcript: 'Omar, +966 50' },
    { providerMessageId: 'wamid.own', type: 'contact', text: null, transcript: 'Omar, +966 50' },
    { providerMessageId: 'wamid.place', type: 'location', text: null, transcript: '24.7, 46.6' },
  ])
})
