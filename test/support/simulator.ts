/**
 * The WhatsApp simulator as the provider of a test's world: shops whose numbers are connected to it,
 * customers who write when the test says so, and a way to wait until nothing moves any more.
 */
import type { WebhookEnvelope } from '../../src/contract/webhook-envelope.ts'
import { loadChannel } from '../../src/modules/channels/load-channel.ts'
import { createChannelAdapters } from '../../src/modules/channels/registry.ts'
import { readTemplates } from '../../src/modules/messaging/read-templates.ts'
import {
  startSimulators,
  type BusinessNumber,
  type GraphTemplate,
  type WhatsAppOptions,
  type WhatsAppSimulator,
} from '../../simulators/index.ts'
import { postHook, ORDER } from './ask-hook.ts'
import type { World } from './test-service.ts'
import { ACCESS_TOKEN, APP_SECRET, createShop, ORDER_READY_COMPONENTS, type Shop } from './shop.ts'
import { waitUntil } from './wait.ts'

/** A shop whose number is connected to the simulator. */
export type ConnectedShop = Shop & {
  /** Posts an order to the hook and expects it to be accepted. Returns the run's id. */
  order(
    phone: string,
    more?: { customer?: Record<string, unknown>; [field: string]: unknown },
  ): Promise<string>
  /** Posts an order, and lets its run go as far as it gets. Returns the run's id. */
  runFor: ConnectedShop['order']
  /** What this shop's endpoint received, in the order it came. */
  events(type?: string): WebhookEnvelope[]
  /** The events of the same endpoint about the customer with a phone number. */
  eventsAbout(phone: string, type?: string): WebhookEnvelope[]
  /** Where its webhooks go from now on. */
  sendWebhooksTo(url: string): void
}

export type SimulatedWhatsApp = {
  simulator: WhatsAppSimulator
  openShop(
    options?: Parameters<typeof createShop>[1] & { templates?: readonly GraphTemplate[] },
  ): Promise<ConnectedShop>
  /** What went out to a customer, oldest first. */
  sentTo(phone: string): ReturnType<WhatsAppSimulator['messages']>
  /** Works on until the service has nothing due and the simulator nothing under way. */
  settle(): Promise<void>
  close(): Promise<void>
}

let serial = 0

/** The customer phone of a story that nobody else has. */
export function newPhone(): string {
  serial += 1
  return `+9665012${String(serial).padStart(5, '0')}`
}

/** An approved template in the form of the Graph API. */
export function approved(
  name: string,
  language: string,
  components: GraphTemplate['components'] = ORDER_READY_COMPONENTS,
): GraphTemplate {
  serial += 1
  return {
    id: String(serial),
    name,
    language,
    status: 'APPROVED',
    category: 'UTILITY',
    parameter_format: 'POSITIONAL',
    components,
  }
}

/** The number of a shop as the simulator knows it, with the template of its flow in both languages. */
export const numberOf = (
  { phoneNumberId, businessAccountId }: Pick<Shop, 'phoneNumberId' | 'businessAccountId'>,
  origin: string,
  more: Partial<BusinessNumber> = {},
): BusinessNumber => ({
  phoneNumberId,
  businessAccountId,
  displayPhoneNumber: '15550783881',
  verifiedName: 'Shop',
  accessToken: ACCESS_TOKEN,
  appSecret: APP_SECRET,
  webhookUrl: `${origin}/webhooks/whatsapp`,
  templates: ['ar', 'en'].map((language) => approved('order_ready', language)),
  ...more,
})

export async function simulateWhatsApp(
  world: World,
  { webhooks = {} }: Pick<WhatsAppOptions, 'webhooks'> = {},
): Promise<SimulatedWhatsApp> {
  const { context, keyRing } = world.service
  const play = { whatsApp: { stepMs: 0, webhooks } }
  const { whatsApp: simulator, close } = await startSimulators({ clock: world.clock }, play)
  world.baseUrls.simulated.whatsApp = simulator.baseUrl
  const adapters = createChannelAdapters({
    ...context,
    baseUrls: world.baseUrls,
    graphApiVersion: 'v25.0',
  })

  async function settle() {
    const isSettled = async () => {
      await simulator.idle()
      return !(await world.service.processAll())
    }
    await waitUntil('nothing moves any more', isSettled, { withinMs: 60_000, everyMs: 0 })
  }

  return {
    simulator,
    async openShop({ templates, ...options } = {}) {
      serial += 1
      const shop = await createShop(world, {
        phoneNumberId: `1065403522${serial}`,
        businessAccountId: `1022901293${serial}`,
        ...options,
      })
      const number = numberOf(shop, world.url, {
        ...(options.displayNumber && { displayPhoneNumber: options.displayNumber }),
        ...(templates && { templates }),
      })
      simulator.addNumber(number)
      const before = new Date(context.clock.now().getTime() - 1)
      await context.db.kysely
        .updateTable('template')
        .set({ syncedAt: before })
        .where('channelId', '=', shop.channelId)
        .execute()
      const channel = await loadChannel(context.db.kysely, keyRing, shop.channelId)
      await readTemplates({ ...context, adapters }, channel!)
      const events: ConnectedShop['events'] = (type) =>
        world.receiver.events(type).filter((event) => event.company.id === shop.companyId)
      const order: ConnectedShop['order'] = async (phone, { customer, ...more } = {}) => {
        const body = { ...ORDER, ...more, customer: { ...ORDER.customer, ...customer, phone } }
        serial += 1
        const key = { 'idempotency-key': `order-${serial}` }
        const answer = await postHook(shop.hookUrl, body, key)
        if (answer.id === null) throw new Error(`the hook answered ${answer.status}`)
        return answer.id
      }
      return {
        ...shop,
        order,
        async runFor(phone, more) {
          const runId = await order(phone, more)
          await settle()
          return runId
        },
        events,
        eventsAbout: (phone, type) =>
          events(type).filter(({ data }) => (data.contact as { phone: string }).phone === phone),
        sendWebhooksTo: (webhookUrl) => simulator.addNumber({ ...number, webhookUrl }),
      }
    },
    sentTo: (phone) => simulator.messages().filter(({ to }) => `+${to}` === phone),
    settle,
    async close() {
      await close()
      await adapters.whatsapp!.close()
    },
  }
}
