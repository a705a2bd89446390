/**
 * The simulator of Telegram as the provider of a test's world. Its bots are connected by their token as a
 * member does it, and its customers write when the test says so.
 */
import { EVENT_DATA, type EventDataByType } from '../../src/contract/webhook-data.ts'
import type { EventType } from '../../src/core/vocabulary/events.ts'
import { POLL_LIMITS } from '../../src/core/limits/messaging.ts'
import { startSimulators, type Chat } from '../../simulators/index.ts'
import { connectChannel } from './connect-channel.ts'
import { signedIn } from './dashboard.ts'
import { defined } from './defined.ts'
import { messagesOf } from './records/messages.ts'
import type { World } from './test-service.ts'
import { createShop } from './shop.ts'

let serial = 0

/** Returns a token that no other bot has. */
export function newToken(): string {
  serial += 1
  return `${8_000_000 + serial}:AAH${String(serial).padStart(32, 'x')}`
}

export async function simulateTelegram(world: World) {
  const { telegram, close } = await startSimulators({ clock: world.clock }, { telegram: {} })
  world.baseUrls.telegram = telegram.baseUrl

  /** Polls each bot's updates, and processes all that results from them. */
  async function hear(): Promise<void> {
    world.clock.advance(POLL_LIMITS.idleMs)
    await world.service.processAll()
    await telegram.idle()
    await world.service.processAll()
  }

  return {
    telegram,
    hear,
    async openShop({ delivery }: { delivery?: 'polling' | 'webhook' } = {}) {
      const token = newToken()
      const [botId = ''] = token.split(':')
      telegram.addBot({ token, name: 'Shop', username: `shop_${botId}_bot` })
      const number = { phoneNumberId: `66${botId}`, businessAccountId: `77${botId}` }
      const shop = await createShop(world, number)
      const owner = await signedIn(world, { accountId: shop.accountId })
      const credentials = { botToken: token, ...defined({ delivery }) }
      const bot = { type: 'telegram', name: 'The bot', credentials } as const
      const { channel } = await connectChannel(owner, shop.companyId, bot)
      const opened = {
        ...shop,
        owner,
        channel,
        botId,
        token,
        /** Returns a customer with a new chat with this bot. */
        newChat({
          firstName = 'Sara',
          languageCode,
        }: { firstName?: string; languageCode?: string } = {}): Chat {
          serial += 1
          const personId = String(500_000 + serial)
          telegram.addPerson({ id: personId, firstName, ...defined({ languageCode }) })
          return { botId, personId }
        },
        /** Returns the data of the events of a type that the company's endpoint received. */
        events: <Type extends EventType>(type: Type) =>
          world.receiver
            .events(type)
            .filter(({ company }) => company.id === shop.companyId)
            .map(({ data }) => EVENT_DATA[type].parse(data) as EventDataByType[Type]),
        messages: () => messagesOf(world, { channelId: channel.id }),
        async publish(draft: object): Promise<string> {
          const flows = `/companies/${shop.companyId}/flows`
          const named = { name: 'On Telegram', draft: { channelId: channel.id, ...draft } }
          const made = await opened.owner.ask<{ id: string }>('POST', flows, named)
          const { id } = made.body
          const published = await opened.owner.ask('POST', `${flows}/${id}/publish`)
          if (published.status >= 300) throw new Error(JSON.stringify([made, published]))
          return id
        },
      }
      return opened
    },
    close,
  }
}

export type SimulatedTelegram = Awaited<ReturnType<typeof simulateTelegram>>
export type TelegramShop = Awaited<ReturnType<SimulatedTelegram['openShop']>>
