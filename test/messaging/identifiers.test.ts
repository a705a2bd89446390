/**
 * Ids as events show them, and words that the service does not know yet.
 * Spec: Concepts › Identifiers.
 */
import { describe, expect, test } from 'vitest'
import { loadChannel, type Channel } from '../../src/channels/load-channel.ts'
import type { DeliveryPage } from '../../src/contract/dashboard/delivery.ts'
import { EVENT_DATA } from '../../src/contract/webhook-envelope.ts'
import { takeInBatch } from '../../src/inbound/take-in-batch.ts'
import { CONVERSATION_ID_BYTES } from '../../src/limits/messaging.ts'
import { conversationWith } from '../support/records/conversations.ts'
import { renameConversation } from '../support/records/moved-conversations.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { newPhone } from '../support/simulator.ts'
import { newWamid, postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()

async function write(phone: string, more: Parameters<typeof written>[0]): Promise<void> {
  const change = written({ from: phone.slice(1), ...more })
  expect(await postWebhook(world, webhookOf(shop, [change]))).toBe(200)
  await whatsApp.settle()
}
const contactsOf = (type: string, phone: string) =>
  shop
    .events(type)
    .map(({ data }) => data.contact as { phone: string; whatsAppId: string | null })
    .filter((contact) => contact.phone === phone)

describe('whatsAppId', () => {
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
    expect(EVENT_DATA['message.received'].parse(message!.data).message).toMatchObject({
      type: 'unknown',
      text: null,
    })
  })

  test('for the type of a channel is told as it is: the event is still sent', async () => {
    const { context, keyRing } = world.service
    const known = await loadChannel(context.db.kysely, keyRing, shop.channelId)
    const channel = { ...known!, type: 'carrier_pigeon' as Channel['type'] }
    const phone = newPhone()
    await takeInBatch(context, [
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
