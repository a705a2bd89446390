/**
 * Ids as events show them, where a message to a customer goes by them, and words that the service does not know yet.
 * Spec: Concepts › Identifiers.
 */
import { describe, expect, test } from 'vitest'
import type { CustomerRef } from '../../src/modules/channels/inbound.ts'
import { contactSummary, customerAddress } from '../../src/modules/messaging/contact.ts'
import type { ChannelType } from '../../src/core/vocabulary/channels.ts'
import { loadChannel, type Channel } from '../../src/modules/channels/load-channel.ts'
import type { DeliveryPage } from '../../src/contract/dashboard/delivery.ts'
import { EVENT_DATA } from '../../src/contract/webhook-data.ts'
import { ingestBatch } from '../../src/modules/inbound/ingest-batch.ts'
import { CONVERSATION_ID_BYTES } from '../../src/core/limits/messaging.ts'
import { conversationWith } from '../support/records/conversations.ts'
import { renameConversation } from '../support/records/moved-conversations.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { newPhone } from '../support/simulator.ts'
import { systemTest } from '../support/system-tests.ts'
import { customerWrites, newWamid, type Written } from '../support/whatsapp-webhook.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()

async function write(phone: string, more: Written): Promise<void> {
  await customerWrites(world, shop, { from: phone, ...more })
  await whatsApp.settle()
}
const contactsOf = (type: string, phone: string) =>
  shop
    .events(type)
    .map(({ data }) => data.contact as { phone: string; whatsAppId: string | null })
    .filter((contact) => contact.phone === phone)

const SARA = { id: 'c', name: 'Sara', phone: '+966501234567' }
const NONE = { phone: null, whatsAppId: null }

describe('the summary of a contact', () => {
  test.each<[ChannelType, string, { phone: string | null; whatsAppId: string | null }]>([
    ['whatsapp', '966509999999', { phone: '+966509999999', whatsAppId: '966509999999' }],
    ['whatsapp', 'SA.1001', { phone: null, whatsAppId: 'SA.1001' }],
    ['whatsapp', '106540352242922:foo_bar', NONE],
    ['whatsapp_qr', '966509999999', { phone: '+966509999999', whatsAppId: '966509999999' }],
    ['whatsapp_qr', '123:4@lid', { phone: null, whatsAppId: '123:4@lid' }],
    ['telegram', '77:123456789', NONE],
    ['messenger', '88:123456789', NONE],
    ['instagram', '99:123456789', NONE],
    ['web_widget', 'w:123456789', NONE],
    ['website', 'w:123456789', { phone: SARA.phone, whatsAppId: null }],
    ['voice', 'v:123456789', { phone: SARA.phone, whatsAppId: null }],
  ])('on %s, filed under %s', (channelType, filedUnder, shown) => {
    const conversation = { channelType, filedUnder, visitorName: null }
    expect(contactSummary(SARA, conversation)).toEqual({ id: 'c', name: 'Sara', ...shown })
  })
})

describe('a message to the customer goes', () => {
  test.each<[ChannelType, string, CustomerRef]>([
    ['whatsapp', '966509999999', { number: '966501234567' }],
    ['whatsapp', 'SA.1001', { businessScopedId: 'SA.1001' }],
    ['whatsapp_qr', '123@lid', { lid: '123@lid' }],
    ['telegram', '77:123456789', { providerUserId: '123456789' }],
    ['messenger', '88:123456789', { providerUserId: '123456789' }],
  ])('on %s, filed under %s, to the id of its form', (channelType, filedUnder, to) => {
    const own = { number: '966501234567', businessScopedId: 'SA.1001', lid: '123@lid' }
    expect(customerAddress({ channelType, filedUnder }, own)).toEqual(to)
  })
})

describe('whatsAppId', () => {
  systemTest('of a form that nobody outside knows is shown nowhere', async () => {
    const own = await whatsApp.openShop()
    for (const text of ['one', 'two']) await customerWrites(world, own, { userId: 'foo_bar', text })
    await whatsApp.settle()
    const received = own
      .events('message.received')
      .map(({ data }) => EVENT_DATA['message.received'].parse(data))
    expect(received).toMatchObject([{ contact: NONE }, { contact: NONE }])
    // Both messages are kept in one conversation.
    expect(new Set(received.map(({ conversation }) => conversation.id)).size).toBe(1)
    expect(own.events('contact.created')).toMatchObject([{ data: { contact: NONE } }])
    expect(JSON.stringify(own.events())).not.toContain('foo_bar')
  })

  test('in contact.* is null when only a number is known, where the summary has the number', async () => {
    const phone = newPhone()
    await write(phone, { text: 'hello' })
    await write(phone, { text: 'STOP' })
    await write(phone, { text: 'START' })
    const whatsAppIds = (type: string) => contactsOf(type, phone).map((one) => one.whatsAppId)
    expect(whatsAppIds('message.received')).toEqual(Array(3).fill(phone.slice(1)))
    expect(whatsAppIds('conversation.started')).toEqual([phone.slice(1)])
    for (const type of ['contact.created', 'contact.opted_out', 'contact.updated']) {
      expect([type, whatsAppIds(type)]).toEqual([type, [null]])
    }
  })
})

describe('conversation.id', () => {
  test.each([
    ['of 1,500 bytes', `c_${'x'.repeat(CONVERSATION_ID_BYTES - 2)}`],
    ['of 750 Arabic letters', 'ط'.repeat(CONVERSATION_ID_BYTES / 2)],
    ['that looks like a path or a query', `../c?a=1&b=2#/%2F "'<>\\`],
  ])('is opaque: one %s is stored, told of and found in the log', async (_, id) => {
    expect(Buffer.byteLength(id)).toBeLessThanOrEqual(CONVERSATION_ID_BYTES)
    const phone = newPhone()
    await write(phone, { text: 'first' })
    const known = await conversationWith(world, shop, phone)
    await renameConversation(world, { id: known.id, to: id })
    await write(phone, { text: 'second' })
    const told = shop
      .events('message.received')
      .filter(({ data }) => (data.conversation as { id: string }).id === id)
    expect(told.map(({ data }) => (data.message as { text: string }).text)).toEqual(['second'])
    const owner = await signedIn(world, { accountId: shop.accountId })
    const query = new URLSearchParams({ conversationId: id }).toString()
    const path = `/companies/${shop.companyId}/deliveries?${query}`
    const found = await owner.ask<DeliveryPage>('GET', path)
    expect(found.status).toBe(200)
    expect(found.body.items).toMatchObject([{ conversationId: id }])
  })
})

describe('A word that the service does not know', () => {
  test('for the kind of a message is `unknown`, never an error: the event is still sent', async () => {
    const phone = newPhone()
    const content = { type: 'hologram', hologram: { id: '1' } }
    await write(phone, { content })
    const [message] = shop.eventsAbout(phone, 'message.received')
    const expected = { type: 'unknown', text: null }
    expect(EVENT_DATA['message.received'].parse(message!.data).message).toMatchObject(expected)
  })

  test('for the type of a channel is told as it is: the event is still sent', async () => {
    const { context, keyRing } = world.service
    const known = await loadChannel(context.db.kysely, keyRing, shop.channelId)
    const channel = { ...known!, type: 'carrier_pigeon' as Channel['type'] }
    const phone = newPhone()
    await ingestBatch(context, [
      {
        channel,
        fact: {
          kind: 'message',
          route: channel.route,
          providerMessageId: newWamid(),
          customer: { number: phone.slice(1) },
          type: 'text',
          text: 'coo',
          at: context.clock.now(),
        },
      },
    ])
    await whatsApp.settle()
    const told = shop
      .events()
      .filter(({ data }) => JSON.stringify(data).includes('carrier_pigeon'))
      .map(({ type }) => type)
    expect(told.toSorted()).toEqual(['conversation.started', 'message.received'])
  })
})
