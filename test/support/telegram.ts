/**
 * The simulator of Telegram as the provider of a test's world: bots that are connected by their token as a member
 * does it, and customers who write when the test says so.
 */
import { EVENT_DATA, type EventDataByType } from '../../src/contract/webhook-data.ts'
import type { EventType } from '../../src/core/vocabulary/events.ts'
import type { ChannelView, ConnectedChannel } from '../../src/contract/dashboard/channel.ts'
import { POLL_LIMITS } from '../../src/core/limits/messaging.ts'
import { startSimulators, type Chat, type TelegramSimulator } from '../../simulators/index.ts'
import { signedIn, type Member } from './dashboard.ts'
import { messagesOf, type MessageRecord } from './records/messages.ts'
import type { World } from './test-service.ts'
import { createShop, type Shop } from './shop.ts'

let serial = 0

/** A token that nobody else has. */
export function newToken(): string {
  serial += 1
  return `${8_000_000 + serial}:AAH${String(serial).padStart(32, 'x')}`
}

export type TelegramShop = Shop & {
  owner: Member
  channel: ChannelView
  botId: string
  token: string
  /** A customer with a chat of their own with this bot. */
  newChat(about?: { firstName?: string; languageCode?: string }): Chat
  /** The data of the events of a type that the company's endpoint was told. */
  events<Type extends EventType>(type: Type): EventDataByType[Type][]
  messages(): Promise<MessageRecord[]>
  /** Publishes a flow on this channel by the API. */
  publish(draft: object): Promise<string>
}

export type SimulatedTelegram = {
  telegram: TelegramSimulator
  openShop(options?: { delivery?: 'polling' | 'webhook' }): Promise<TelegramShop>
  /** The service asks each bot's news and does all that comes of them. */
  hear(): Promise<void>
  close(): Promise<void>
}

export async function simulateTelegram(world: World): Promise<SimulatedTelegram> {
  const { telegram, close } = await startSimulators({ clock: world.clock }, { telegram: {} })
  world.baseUrls.telegram = telegram.baseUrl

  async function hear(): Promise<void> {
    world.clock.advance(POLL_LIMITS.idleMs)
    await world.service.processAll()
    await telegram.idle()
    await world.service.processAll()
  }

  return {
    telegram,
    hear,
    async openShop({ delivery } = {}) {
      const token = newToken()
      const [botId = ''] = token.split(':')
      telegram.addBot({ token, name: 'Shop', username: `shop_${botId}_bot` })
      const number = { phoneNumberId: `66${botId}`, businessAccountId: `77${botId}` }
      const shop = await createShop(world, number)
      const owner = await signedIn(world, { accountId: shop.accountId })
      const { status, body } = await owner.ask<ConnectedChannel>(
        'POST',
        `/companies/${shop.companyId}/channels`,
        {
          type: 'telegram',
          name: 'The bot',
          credentials: { botToken: token, ...(delivery ? { delivery } : {}) },
        },
      )
      if (status !== 201) throw new Error(`connecting was answered ${JSON.stringify(body)}`)
      const { channel } = body
      const opened: TelegramShop = {
        ...shop,
        owner,
        channel,
        botId,
        token,
        newChat({ firstName = 'Sara', languageCode } = {}) {
          serial += 1
          const personId = String(500_000 + serial)
          const spoken = languageCode === undefined ? {} : { languageCode }
          telegram.addPerson({ id: personId, firstName, ...spoken })
          return { botId, personId }
        },
        events: (type) =>
          world.receiver
            .events(type)
            .filter(({ company }) => company.id === shop.companyId)
            .map(({ data }) => EVENT_DATA[type].parse(data) as EventDataByType[typeof type]),
        messages: () => messagesOf(world, { channelId: channel.id }),
        async publish(draft) {
          const flows = `/companies/${shop.companyId}/flows`
          const made = await opened.owner.ask<{ id: string; flow?: { id: string } }>(
            'POST',
            flows,
            {
              name: 'On Telegram',
              draft: { channelId: channel.id, ...draft },
            },
          )
          const id = made.body.id ?? made.body.flow?.id
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
