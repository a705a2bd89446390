/**
 * The WhatsApp simulator as the provider of a test's world. The numbers of its shops are connected to it, its
 * customers write when the test says so, and a test can wait until nothing moves any more.
 */
import { loadChannel } from '../../src/modules/channels/load-channel.ts'
import { createChannelAdapters } from '../../src/modules/channels/registry.ts'
import { refreshTemplates } from '../../src/modules/messaging/refresh-templates.ts'
import type { BusinessNumber, GraphTemplate, WhatsAppOptions } from '../../simulators/index.ts'
import { startSimulators } from '../../simulators/index.ts'
import { postHook, ORDER } from './post-hook.ts'
import { putTemplates } from './records/templates.ts'
import type { World } from './test-service.ts'
import { ACCESS_TOKEN, APP_SECRET, createShop, ORDER_READY_COMPONENTS, type Shop } from './shop.ts'
import { waitUntil } from './wait.ts'

type Order = { customer?: Record<string, unknown>; [field: string]: unknown }

let serial = 0

/** Returns the phone number of a customer that no other test has. */
export function newPhone(): string {
  serial += 1
  return `+9665012${String(serial).padStart(5, '0')}`
}

/** Returns an approved template in the form of the Graph API. */
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

/** Returns the number of a shop as the simulator knows it, with the template of its flow in both languages. */
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
) {
  const { context, keyRing } = world.service
  const play = { whatsApp: { stepMs: 0, webhooks } }
  const { whatsApp: simulator, close } = await startSimulators({ clock: world.clock }, play)
  world.baseUrls.simulated.whatsApp = simulator.baseUrl
  const adapters = createChannelAdapters({
    ...context,
    baseUrls: world.baseUrls,
    graphApiVersion: 'v25.0',
  })

  /** Processes work until the service has nothing due and the simulator nothing in flight. */
  async function settle(): Promise<void> {
    const isSettled = async () => {
      await simulator.idle()
      return !(await world.service.processAll())
    }
    await waitUntil('nothing moves any more', isSettled, { withinMs: 60_000, everyMs: 0 })
  }

  return {
    simulator,
    /** Opens a shop whose number is connected to the simulator. */
    async openShop({
      templates,
      ...options
    }: Parameters<typeof createShop>[1] & { templates?: readonly GraphTemplate[] } = {}) {
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
      await putTemplates(world, { channelId: shop.channelId }, { syncedAt: before })
      const channel = await loadChannel(context.db.kysely, keyRing, shop.channelId)
      await refreshTemplates({ ...context, adapters }, channel!)
      /** Returns the events that this shop's endpoint received, in the order of arrival. */
      const events = (type?: string) =>
        world.receiver.events(type).filter((event) => event.company.id === shop.companyId)
      /** Posts an order to the hook and expects it to be accepted. Returns the run's id. */
      const order = async (phone: string, { customer, ...more }: Order = {}) => {
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
        /** Posts an order, and lets its run go as far as it gets. Returns the run's id. */
        async runFor(phone: string, more?: Order) {
          const runId = await order(phone, more)
          await settle()
          return runId
        },
        events,
        /** The events of the same endpoint about the customer with a phone number. */
        eventsAbout: (phone: string, type?: string) =>
          events(type).filter(({ data }) => (data.contact as { phone: string }).phone === phone),
        /** Sets where its webhooks go from now on. */
        sendWebhooksTo: (webhookUrl: string) => simulator.addNumber({ ...number, webhookUrl }),
      }
    },
    /** Returns the messages to a customer, oldest first. */
    sentTo: (phone: string) => simulator.messages().filter(({ to }) => `+${to}` === phone),
    settle,
    async close() {
      await close()
      await adapters.whatsapp!.close()
    },
  }
}

export type SimulatedWhatsApp = Awaited<ReturnType<typeof simulateWhatsApp>>
export type ConnectedShop = Awaited<ReturnType<SimulatedWhatsApp['openShop']>>
