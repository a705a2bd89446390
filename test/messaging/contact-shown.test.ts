/** What of a customer's ids is shown, and where a message to them goes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CustomerRef } from '../../src/channels/channel-adapter.ts'
import { contactSummary, customerAddress } from '../../src/messaging/contact.ts'
import type { ChannelType } from '../../src/vocabulary/channels.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { systemDescribe } from '../support/system-tests.ts'

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
    expect(customerAddress({ channelType, filedUnder }, SARA)).toEqual(to)
  })
})

systemDescribe('of a customer whom only an id of another form names', () => {
  let world: World
  let whatsApp: SimulatedWhatsApp
  let shop: ConnectedShop
  beforeAll(async () => {
    world = await createWorld()
    whatsApp = await simulateWhatsApp(world)
    shop = await whatsApp.openShop()
  })
  afterAll(async () => {
    await whatsApp.close()
    await world.close()
  })

  test('both messages are kept in one conversation, and the id is shown nowhere', async () => {
    for (const text of ['one', 'two']) {
      const change = written({ userId: 'foo_bar', text })
      expect(await postWebhook(world, webhookOf(shop, [change]))).toBe(200)
    }
    await whatsApp.settle()
    const received = shop.events('message.received').map(({ data }) => data)
    expect(received).toMatchObject([{ contact: NONE }, { contact: NONE }])
    expect(
      new Set(received.map(({ conversation }) => (conversation as { id: string }).id)).size,
    ).toBe(1)
    expect(shop.events('contact.created')).toMatchObject([{ data: { contact: NONE } }])
    expect(JSON.stringify(shop.events())).not.toContain('foo_bar')
  })
})
