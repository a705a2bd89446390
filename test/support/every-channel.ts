/**
 * One channel of each type in one world, connected as a merchant does it, behind one interface. It plays a
 * customer who writes, the messages that reach them, and the receipts that they cause. A test that uses it
 * covers all types.
 */
import { POLL_LIMITS } from '../../src/core/limits/messaging.ts'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import type { Product } from '../../simulators/index.ts'
import type { SentReply } from '../../src/contract/dashboard/conversation.ts'
import { CHANNEL_TYPES, type ChannelType } from '../../src/core/vocabulary/channels.ts'
import { connectChannel } from './connect-channel.ts'
import { ourReport, signOurs } from './call-reports.ts'
import { signedIn, type Answer } from './dashboard.ts'
import { linkNumber, playBridge } from './linked-number.ts'
import { playMessaging } from './messaging.ts'
import { newestConversation } from './records/conversations.ts'
import { messagesOf } from './records/messages.ts'
import type { World } from './test-service.ts'
import { createShop, type Shop } from './shop.ts'
import { newPhone, simulateWhatsApp } from './simulator.ts'
import { simulateTelegram } from './telegram.ts'
import { visitorRequest, createWebsite, openWidget } from './visitors.ts'

/** A customer who has written nothing yet. */
export type Customer = {
  writes(text: string): Promise<void>
  /** Sends a text that the provider dates now. It arrives when the work that is due is processed next. */
  sends?(text: string): void
  /** The texts that reached them, as often as they did. */
  got(): Promise<string[]>
  /** Opens the chat. The provider sends the receipts that it has for that. */
  reads(): Promise<void>
  /** They press a button of this label, where the channel lets them before anything was sent. */
  presses?(label: string): Promise<void>
}

export type Party = {
  type: ChannelType
  /** The shop of the channel; its company also has a WhatsApp number. */
  shop: Shop
  accountId: string
  companyId: string
  channelId: string
  /** An empty `name` is a customer whose profile the provider does not show, where it is asked for apart. */
  newCustomer(name?: string): Promise<Customer> | Customer
  /**
   * A customer who gets no message: each fails after the provider has accepted it, where the provider reports
   * such failures.
   */
  newUnreachable?(): Customer
}

/** A conversation that a customer has begun. */
export type Talk = { party: Party; customer: Customer; id: string; path: string }

let shops = 0

/** Every shop has a WhatsApp number, whichever channel is tested. */
function newNumber() {
  shops += 1
  return { phoneNumberId: `77${shops}`, businessAccountId: `78${shops}` }
}

const partyOf = <Type extends ChannelType>(type: Type, shop: Shop, channelId: string) => {
  const { accountId, companyId } = shop
  return { type, shop, accountId, companyId, channelId }
}

async function afterSending(
  sends: (text: string) => void,
  text: string,
  settle: () => Promise<void>,
): Promise<void> {
  sends(text)
  await settle()
}

type Played = { party: Party; idle(): Promise<unknown>; close(): Promise<unknown> }
type Play = (world: World, settle: () => Promise<void>) => Promise<Played>

/** Connects a channel of each type, or only of the given `types`. */
export async function connectEveryChannel(
  world: World,
  types: readonly ChannelType[] = CHANNEL_TYPES,
) {
  const all = new Map<ChannelType, Played>()
  /** Processes all work that is due, and all that results from it. */
  async function settle(): Promise<void> {
    // After this time the service polls bots and bridges again, and a linked number has kept its distance
    // between two sends.
    for (const passMs of [POLL_LIMITS.idleMs, SECOND_MS + 1]) {
      world.clock.advance(passMs)
      await world.service.processAll()
      for (const { idle } of all.values()) await idle()
      await world.service.processAll()
    }
  }
  for (const type of types) all.set(type, await plays[type](world, settle))
  /** A member of the party's, signed in now: sessions end while a test moves the clock. */
  const owner = ({ accountId }: Party) => signedIn(world, { accountId })
  let serial = 0
  return {
    settle,
    party: (type: ChannelType): Party => all.get(type)!.party,
    owner,
    /** Lets a customer write, by default a new one. Returns the conversation. */
    async begun(type: ChannelType, text = 'Hello', known?: Customer): Promise<Talk> {
      const { party } = all.get(type)!
      const customer = known ?? (await party.newCustomer())
      await customer.writes(text)
      const { id } = await newestConversation(world, { channelId: party.channelId })
      const path = `/companies/${party.companyId}/conversations/${encodeURIComponent(id)}`
      return { party, customer, id, path }
    },
    /** A member sends: it is queued, or refused. */
    async send({ party, path }: Talk, what: object): Promise<Answer<SentReply>> {
      serial += 1
      const key = `k-${serial}`
      return (await owner(party)).ask('POST', `${path}/messages`, { key, ...what })
    },
    /** Rows of what was sent, every try of it. */
    sentIn: ({ id }: Talk) => messagesOf(world, { conversationId: id, direction: 'out' }),
    async close() {
      for (const { close } of all.values()) await close()
    },
  }
}

const whatsApp: Play = async (world, settle) => {
  const { simulator, openShop, close } = await simulateWhatsApp(world)
  const shop = await openShop()
  const { channelId, phoneNumberId } = shop
  const customerOf = (from: string): Customer => ({
    async writes(text) {
      simulator.sendText({ from, phoneNumberId, text })
      await settle()
    },
    async got() {
      const theirs = simulator.messages().filter(({ to }) => `+${to}` === from)
      return theirs.map(({ text }) => text)
    },
    async reads() {
      simulator.readChat({ from: from.slice(1), phoneNumberId })
      await settle()
    },
  })
  const party: Party = {
    ...partyOf('whatsapp', shop, channelId),
    newCustomer: () => customerOf(newPhone()),
    newUnreachable: () => customerOf('+966501131026'),
  }
  return { party, idle: simulator.idle, close }
}

const linked: Play = async (world, settle) => {
  const bridge = await playBridge(world, newNumber())
  const { shop, qr } = bridge
  const number = await linkNumber(bridge, `1202555${String((shops += 1)).padStart(4, '0')}`)
  const account = number.channel.credentials['reference']!
  let serial = 0
  const party: Party = {
    ...partyOf('whatsapp_qr', shop, number.channel.id),
    newCustomer() {
      const person = `1202666${String((serial += 1)).padStart(4, '7')}`
      qr.phones.act({ action: 'addPerson', number: person, name: 'Sara' })
      const sent = () => qr.bridge.sent.filter(({ to }) => to === person)
      const sends = (text: string): void => number.act('sendText', person, text)
      return {
        sends,
        writes: (text) => afterSending(sends, text, settle),
        got: () => Promise.resolve(sent().map(({ text }) => text)),
        async reads() {
          // WhatsApp's protocol reports it; the channel has no receipts.
          const key = { remoteJid: `${person}@s.whatsapp.net`, id: sent().at(-1)!.id, fromMe: true }
          const session = qr.bridge.sessionOf(account)
          session.tell('messages.update', [{ key, update: { status: 4 } }], person)
          session.tell('message-receipt.update', [{ key, receipt: { readTimestamp: 1 } }], person)
          await settle()
        },
      }
    },
  }
  return { party, idle: () => Promise.resolve(), close: bridge.close }
}

const telegram: Play = async (world, settle) => {
  const provider = await simulateTelegram(world)
  const shop = await provider.openShop()
  const party: Party = {
    ...partyOf('telegram', shop, shop.channel.id),
    newCustomer() {
      const chat = shop.newChat()
      const sends = (text: string): void => void provider.telegram.sendText(chat, text)
      return {
        sends,
        writes: (text) => afterSending(sends, text, settle),
        async got() {
          const all = provider.telegram.chat(chat)
          return all.filter(({ from }) => from === 'business').map(({ text }) => text ?? '')
        },
        // Telegram does not report to bots what customers read.
        reads: settle,
      }
    },
  }
  return { party, idle: provider.telegram.idle, close: provider.close }
}

const messaging =
  (product: Product): Play =>
  async (world, settle) => {
    const { simulator, openShop, close } = await playMessaging(world, product)
    const shop = await openShop()
    const { channelId } = shop
    const party: Party = {
      ...partyOf(product, shop, channelId),
      newCustomer(name) {
        const place = shop.newCustomer(name)
        const sends = (text: string): void => void simulator.sendText(place, text)
        return {
          sends,
          writes: (text) => afterSending(sends, text, settle),
          async presses(label) {
            simulator.postback(place, { title: label, payload: label })
            await settle()
          },
          async got() {
            const theirs = simulator.sent().filter(({ personId }) => personId === place.personId)
            return theirs.map(({ text }) => text ?? '')
          },
          async reads() {
            simulator.read(place)
            await settle()
          },
        }
      },
    }
    return { party, idle: simulator.idle, close }
  }

const nothingToEnd = { idle: () => Promise.resolve(), close: () => Promise.resolve() }

const widget: Play = async (world, settle) => {
  const shop = await createShop(world, newNumber())
  const owner = await signedIn(world, { accountId: shop.accountId })
  const { channelId, key } = await createWebsite(world, 'web_widget', { shop, owner })
  const party: Party = {
    ...partyOf('web_widget', shop, channelId),
    async newCustomer() {
      const visitor = await openWidget(world.url, key)
      return {
        async writes(text) {
          await visitor.say(text)
          await settle()
        },
        async got() {
          const all = await visitor.messages()
          return all.filter(({ from }) => from !== 'visitor').map(({ text }) => text ?? '')
        },
        // The page does not report what visitors read in it.
        reads: async () => void (await visitor.messages()),
      }
    },
  }
  return { party, ...nothingToEnd }
}

const form: Play = async (world, settle) => {
  const shop = await createShop(world, newNumber())
  const owner = await signedIn(world, { accountId: shop.accountId })
  const { channelId, key } = await createWebsite(world, 'website', { shop, owner })
  let serial = 0
  const party: Party = {
    ...partyOf('website', shop, channelId),
    newCustomer: () => {
      const email = `sara-${(serial += 1)}@example.com`
      return {
        async writes(message) {
          await visitorRequest(world.url, 'POST', `/website/v1/${key}/leads`, {
            json: { fields: { email, message } },
          })
          await settle()
        },
        ...OUT_OF_REACH,
      }
    },
  }
  return { party, ...nothingToEnd }
}

/** A customer who cannot be reached from here. */
const OUT_OF_REACH = { got: () => Promise.resolve([]), reads: () => Promise.resolve() }
const SECRET = 'a-secret-of-the-merchant'

const calls: Play = async (world, settle) => {
  const shop = await createShop(world, newNumber())
  const owner = await signedIn(world, { accountId: shop.accountId })
  const credentials = { provider: 'signed', secret: SECRET }
  const { channel } = await connectChannel(owner, shop.companyId, { type: 'voice', credentials })
  const { id, webhookUrl } = channel
  let serial = 0
  const party: Party = {
    ...partyOf('voice', shop, id),
    newCustomer() {
      const from = `+1650555${String((serial += 1)).padStart(4, '3')}`
      return {
        async writes(text) {
          serial += 1
          const now = world.clock.now()
          const times = { startedAt: now.toISOString(), endedAt: now.toISOString() }
          const turns = [{ role: 'caller', text }]
          const report = ourReport({ callId: `call-${serial}`, from, ...times, turns })
          await fetch(webhookUrl!, { method: 'POST', ...signOurs(report, SECRET, now) })
          await settle()
        },
        ...OUT_OF_REACH,
      }
    },
  }
  return { party, ...nothingToEnd }
}

const plays: Record<ChannelType, Play> = {
  whatsapp: whatsApp,
  whatsapp_qr: linked,
  telegram,
  messenger: messaging('messenger'),
  instagram: messaging('instagram'),
  web_widget: widget,
  website: form,
  voice: calls,
}
