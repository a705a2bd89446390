/**
 * Messenger or Instagram, simulated, as the provider of a test's world. Its shops have a page that is connected
 * as a merchant does it. Its customers write when the test says so, and the test can wait until all of it is
 * processed.
 */
import { afterAll } from 'vitest'
import { signMetaWebhook, startSimulators, type Product } from '../../simulators/index.ts'
import type { WebhookEnvelope } from '../../src/contract/webhook-envelope.ts'
import { connectChannel } from './connect-channel.ts'
import { signedIn, type Member } from './dashboard.ts'
import type { World } from './test-service.ts'
import { createShop, type Shop } from './shop.ts'
import { waitUntil } from './wait.ts'

export const PAGE_TOKEN = 'EAAG-a-token-of-the-page'
export const PAGE_SECRET = 'secret-of-the-app'

export type PageShop = Omit<Shop, 'channelId'> & {
  channelId: string
  /** The page or account, as the provider names it. */
  route: string
  owner: Member
  /** Returns the events that this shop's endpoint received, in the order in which they were raised. */
  events(type?: string): WebhookEnvelope[]
  /** The id of a conversation's only customer there. */
  newCustomer(name?: string): { accountId: string; personId: string }
}

let serial = 0

/** Returns the credentials of a channel type as a merchant enters them. */
export function credentialsOf(product: Product, route: string) {
  return {
    ...(product === 'messenger' ? { pageId: route } : { instagramId: route, login: 'instagram' }),
    accessToken: PAGE_TOKEN + route,
    appSecret: PAGE_SECRET,
  }
}

/** Plays both products for all tests of a file, and closes them after the last of them. */
export async function openMessaging(world: World) {
  const played = {
    messenger: await playMessaging(world, 'messenger'),
    instagram: await playMessaging(world, 'instagram'),
  }
  afterAll(async () => {
    await played.messenger.close()
    await played.instagram.close()
  })
  return played
}

/**
 * Posts to the webhook of a product, by default signed with the app's secret. Returns the status of the
 * response.
 */
export async function postToPage(
  world: Pick<World, 'url'>,
  product: Product,
  items: { route: string; messaging: readonly object[] },
  header?: (body: Buffer) => string | undefined,
): Promise<number> {
  const entry = [{ id: items.route, time: 1, messaging: items.messaging }]
  const object = product === 'messenger' ? 'page' : 'instagram'
  const body = Buffer.from(JSON.stringify({ object, entry }))
  const signature = header ? header(body) : signMetaWebhook(body, PAGE_SECRET)
  const { status } = await fetch(`${world.url}/webhooks/${product}`, {
    method: 'POST',
    headers: signature === undefined ? {} : { 'x-hub-signature-256': signature },
    body: body as Uint8Array<ArrayBuffer>,
  })
  return status
}

export async function playMessaging(world: World, product: Product) {
  const both = await startSimulators({ clock: world.clock }, { messenger: {}, instagram: {} })
  const { [product]: simulator, close } = both
  // The simulator replaces the provider in these tests.
  world.baseUrls[product] = simulator.baseUrl

  async function settle(): Promise<void> {
    const isSettled = async () => {
      await simulator.idle()
      return !(await world.service.processAll())
    }
    await waitUntil('nothing moves any more', isSettled, { withinMs: 30_000, everyMs: 0 })
  }

  return {
    simulator,
    settle,
    close,
    async openShop(): Promise<PageShop> {
      serial += 1
      const shop = await createShop(world, {
        phoneNumberId: `99${serial}`,
        businessAccountId: `98${serial}`,
      })
      const owner = await signedIn(world, { accountId: shop.accountId })
      const route = `${product === 'messenger' ? '1000000000' : '1784140000'}${10_000 + serial}`
      simulator.addAccount({
        id: route,
        name: 'Riyadh shop',
        accessToken: PAGE_TOKEN + route,
        appSecret: PAGE_SECRET,
        webhookUrl: `${world.url}/webhooks/${product}`,
      })
      const page = { type: product, name: 'Our page', credentials: credentialsOf(product, route) }
      const { channel } = await connectChannel(owner, shop.companyId, page)
      return {
        ...shop,
        channelId: channel.id,
        route,
        owner,
        events: (type) =>
          world.receiver.events(type).filter((event) => event.company.id === shop.companyId),
        newCustomer(name = 'Sara Ali') {
          return { accountId: route, personId: simulator.addPerson(route, name).id }
        },
      }
    },
  }
}
