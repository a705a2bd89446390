/**
 * Every recorded update of Telegram, posted to a real service at the channel's own address: what it raises and what
 * it does not, as the payloads' own index says. They are other people's data and stand beside the project; without
 * them this file says so and passes.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConnectedChannel } from '../../src/contract/dashboard/channel.ts'
import { createWorld, type World } from '../support/service.ts'
import { simulateTelegram, type SimulatedTelegram, type TelegramShop } from '../support/telegram.ts'
import { loadTelegramPayloads, type TelegramPayload } from '../support/telegram-payloads.ts'

const SECRET = 'a-secret-chosen-by-hand'
const payloads = loadTelegramPayloads()

if (payloads.length > 0) checkAll()
else test('the recorded payloads are not beside this clone', () => expect(payloads).toEqual([]))

function checkAll() {
  describe('a recorded update of Telegram raises what its index says', () => {
    let world: World
    let provider: SimulatedTelegram
    beforeAll(async () => {
      world = await createWorld()
      provider = await simulateTelegram(world)
    })
    afterAll(async () => {
      await provider.close()
      await world.close()
    })

    async function post(shop: TelegramShop, { body }: TelegramPayload): Promise<void> {
      const response = await fetch(shop.channel.webhookUrl!, {
        method: 'POST',
        headers: { 'x-telegram-bot-api-secret-token': SECRET },
        body: new Uint8Array(body),
      })
      expect(response.status).toBe(200)
    }

    test.each(payloads)('$file', async (payload) => {
      const shop = await provider.openShop({ delivery: 'webhook' })
      const path = `/companies/${shop.companyId}/channels/${shop.channel.id}`
      const credentials = { webhookSecret: SECRET }
      const edited = await shop.owner.ask<ConnectedChannel>('PATCH', path, { credentials })
      expect(edited.status).toBe(200)
      for (const before of payload.after) {
        await post(
          shop,
          payloads.find(({ file }) => file === before)!,
        )
      }
      await world.service.processAll()
      const earlier = shop.events('message.received').length
      const started = shop.events('conversation.started').length
      await post(shop, payload)
      await world.service.processAll()
      const { messageReceived } = payload.expect
      expect(
        shop
          .events('message.received')
          .slice(earlier)
          .map(({ contact, message, conversation }) => {
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
      expect(shop.events('conversation.started').slice(started)).toHaveLength(
        messageReceived.length,
      )
      const optOuts = messageReceived.filter(({ optOut }) => optOut === 'out').length
      expect(shop.events('contact.opted_out')).toHaveLength(optOuts)
    })
  })
}
