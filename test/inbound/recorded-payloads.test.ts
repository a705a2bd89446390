/**
 * Every recorded payload of WhatsApp and update of Telegram, posted to a real service: the events that each
 * must raise and must not raise, as the payloads' own index says. The data is not part of the repository; on a
 * machine without it this file says so and passes.
 */
import { afterAll, describe, expect, test } from 'vitest'
import type { ConnectedChannel } from '../../src/contract/dashboard/channel.ts'
import { openWorld } from '../support/open-world.ts'
import { ingestPayload } from '../support/ingest-payload.ts'
import { simulateTelegram, type TelegramShop } from '../support/telegram.ts'
import { loadRecordedPayloads, type RecordedPayload } from '../support/recorded-payloads.ts'
import { loadWhatsAppPayloads, type WhatsAppPayloads } from '../support/whatsapp-payloads.ts'

const world = await openWorld()
const recorded = loadWhatsAppPayloads()
const updates = loadRecordedPayloads('telegram')

if (recorded) checkWhatsApp(recorded)
else test('the payloads of WhatsApp are not on this machine', () => expect(recorded).toBeNull())
if (updates.length > 0) await checkTelegram()
else test('the updates of Telegram are not on this machine', () => expect(updates).toEqual([]))

function checkWhatsApp(all: WhatsAppPayloads) {
  describe('a recorded WhatsApp payload raises what its index says', () => {
    let serial = 0
    test.each(all.payloads)('$file', async (payload) => {
      serial += 1
      const { actual, expected } = await ingestPayload(world, all, payload)
      expect(actual).toEqual(expected)
    })

    test('every payload was there', () => {
      expect(serial).toBe(all.payloads.length)
    })
  })
}

async function checkTelegram() {
  const SECRET = 'a-secret-chosen-by-hand'
  const provider = await simulateTelegram(world)
  afterAll(() => provider.close())

  async function post(shop: TelegramShop, { rawBody }: RecordedPayload): Promise<void> {
    const response = await fetch(shop.channel.webhookUrl!, {
      method: 'POST',
      headers: { 'x-telegram-bot-api-secret-token': SECRET },
      body: new Uint8Array(rawBody),
    })
    expect(response.status).toBe(200)
  }

  test.each(updates)(
    'a recorded update of Telegram raises what its index says: $file',
    async (payload) => {
      const shop = await provider.openShop({ delivery: 'webhook' })
      const path = `/companies/${shop.companyId}/channels/${shop.channel.id}`
      const credentials = { webhookSecret: SECRET }
      const edited = await shop.owner.ask<ConnectedChannel>('PATCH', path, { credentials })
      expect(edited.status).toBe(200)
      for (const before of payload.after) {
        const earlier = updates.find(({ file }) => file === before)!
        await post(shop, earlier)
      }
      await world.service.processAll()
      const received = shop.events('message.received').length
      const started = shop.events('conversation.started').length
      await post(shop, payload)
      await world.service.processAll()
      const { messageReceived } = payload.expect
      const told = shop.events('message.received').slice(received)
      expect(
        told.map(({ contact, message, conversation }) => {
          const { id: _, ...said } = message
          const who = contact && { ...contact, id: 'made' }
          return { contact: who, message: said, channelType: conversation.channelType }
        }),
      ).toEqual(
        messageReceived.map(({ contact, message: { receivedAt, ...message } }) => ({
          contact: { id: 'made', ...contact },
          message: { ...message, receivedAt: receivedAt ?? world.clock.now().toISOString() },
          channelType: 'telegram',
        })),
      )
      const begun = shop.events('conversation.started').slice(started)
      expect(begun).toHaveLength(messageReceived.length)
      const optOuts = messageReceived.filter(({ optOut }) => optOut === 'out').length
      expect(shop.events('contact.opted_out')).toHaveLength(optOuts)
    },
  )
}
