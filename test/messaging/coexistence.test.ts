/** A number that its owner also uses in WhatsApp's own app: its earlier messages, and the contacts of the phone. */
import { describe, expect, test } from 'vitest'
import type { ChannelView } from '../../src/contract/dashboard/channel.ts'
import { messagesOf } from '../support/records/messages.ts'
import { transactionsOf } from '../support/records/faults.ts'
import { onlyConversation } from '../support/records/conversations.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { openWorld } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { postChanges } from '../support/whatsapp-webhook.ts'
import { createShop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

const OWN = '15550783881'
const SARA = '16505551234'

const world = await openWorld()
const shop = await createShop(world, { displayNumber: OWN })

async function tell(field: string, value: Record<string, unknown>): Promise<void> {
  await postChanges(world, shop, { field, value })
  await world.service.processAll()
}

const timestamp = '1739230955'
/** Returns earlier messages as one part of the history. */
const historyOf = (phase: number, progress: number, threads: object[]) => ({
  history: [{ metadata: { phase, chunk_order: 1, progress }, threads }],
})
const threadOf = (from: string, id: string, body: string) => ({
  id: from,
  messages: [{ from, id, timestamp, type: 'text', text: { body } }],
})
const chunk = (phase: number, progress: number, id: string) =>
  historyOf(phase, progress, [threadOf(SARA, id, 'STOP')])

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
  test('comes without events, and its progress does not depend on the order of its parts', async () => {
    expect(await view()).toMatchObject({ isCoexistence: false, history: null })
    await tell('history', chunk(1, 55, 'wamid.one'))
    const history = { percent: 55, isDeclined: false }
    expect(await view()).toMatchObject({ isCoexistence: true, history })
    await tell('history', chunk(0, 20, 'wamid.two'))
    expect((await view()).history).toMatchObject({ percent: 55 })
    await tell('history', chunk(2, 100, 'wamid.three'))
    expect((await view()).history).toMatchObject({ percent: 100 })
    const told = world.receiver.received.map(({ event }) => event.type)
    expect(told.filter((type) => type !== 'contact.created')).toEqual([])
    expect(await contacts()).toMatchObject([{ phone: `+${SARA}`, optedOutAt: null }])
    const silent = { serviceWindowEndsAt: null, handledBy: 'assistant' }
    expect(await onlyConversation(world, { channelId: shop.channelId })).toMatchObject(silent)
  })

  test('is shown as declined when the owner does not share it', async () => {
    await tell('history', { history: [{ errors: [{ code: 2593109, title: 'turned off' }] }] })
    expect((await view()).history).toMatchObject({ isDeclined: true })
  })
})

describe('The address book of its phone', () => {
  test('creates no contact', async () => {
    await tell('smb_app_state_sync', addressBook('add', 'Somebody', '16505559999'))
    expect(await contacts()).toHaveLength(1)
  })

  test('gives no name that it has removed', async () => {
    await tell('smb_app_state_sync', addressBook('remove', 'Sara of before', SARA))
    expect(await contacts()).toMatchObject([{ name: null }])
  })

  test('names contacts without a name, and no others', async () => {
    await tell('smb_app_state_sync', addressBook('add', 'Sara Haddad', SARA))
    expect(await contacts()).toMatchObject([{ name: 'Sara Haddad' }])
    await tell('smb_app_state_sync', addressBook('add', 'Another name', SARA))
    await tell('smb_app_state_sync', addressBook('remove', 'Sara Haddad', SARA))
    expect(await contacts()).toMatchObject([{ name: 'Sara Haddad' }])
    const updated = world.receiver.received.filter(({ event }) => event.type === 'contact.updated')
    expect(updated).toHaveLength(1)
  })
})

systemTest('A phone with very many contacts is ingested in many transactions', async () => {
  const numbers = Array.from({ length: 201 }, (_, at) => `1650666${1000 + at}`)
  const threads = numbers.map((id) => threadOf(id, `wamid.of-${id}`, 'hi'))
  await tell('history', historyOf(2, 100, threads))
  const messages = await transactionsOf(world, shop, { providerMessageIds: 'wamid.of-' })
  expect(messages).toEqual({ records: 201, transactions: 9 })
  const state_sync = numbers.flatMap((phone) => addressBook('add', 'Known', phone).state_sync)
  await tell('smb_app_state_sync', { state_sync })
  const named = await transactionsOf(world, shop, { contactsNamed: 'Known' })
  expect(named).toEqual({ records: 201, transactions: 2 })
})

test('Imported messages, and the owner’s own, have the contents of cards and locations', async () => {
  const shown = { name: { formatted_name: 'Omar' }, phones: [{ phone: '+966 50' }] }
  const card = { type: 'contacts', contacts: [shown] }
  const place = { type: 'location', location: { latitude: 24.7, longitude: 46.6 } }
  const past = { from: SARA, timestamp }
  const messages = [
    { ...past, id: 'wamid.card', ...card },
    { ...past, id: 'wamid.place', ...place },
  ]
  await tell('history', historyOf(0, 1, [{ id: SARA, messages }]))
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
