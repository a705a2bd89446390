/** A shop whose number is linked by QR code, on a simulated bridge. */
import { afterAll } from 'vitest'
import type * as Shown from '../../src/contract/dashboard/channel.ts'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import { startSimulators, type QrSimulator } from '../../simulators/index.ts'
import { signedIn, type Member } from './dashboard.ts'
import { onlyConversation } from './records/conversations.ts'
import { messagesOf } from './records/messages.ts'
import { openWorld } from './open-world.ts'
import type { World } from './test-service.ts'
import { createShop, type Shop } from './shop.ts'

export type LinkedWorld = {
  world: World
  qr: QrSimulator
  shop: Shop
  /** Signs in again each time: sessions end while a test moves the clock. */
  owner(): Promise<Member>
  /**
   * Moves the clock and processes what is due, by default a little more than a second: the service polls the
   * bridge every second.
   */
  passTime(ms?: number): Promise<void>
  close(): Promise<void>
}

export const SARA = '12025550121'

/** Creates the same for all tests of a file, and closes it after the last of them. */
export async function openLinkedWorld(): Promise<LinkedWorld> {
  const linked = await playBridge(await openWorld())
  afterAll(() => linked.close())
  return linked
}

export async function playBridge(
  world: World,
  number: Parameters<typeof createShop>[1] = {},
): Promise<LinkedWorld> {
  const play = { whatsAppQr: {} }
  const { whatsAppQr: qr, close } = await startSimulators({ clock: world.clock }, play)
  world.baseUrls.qrBridge = { url: qr.baseUrl, secret: qr.secret }
  const shop = await createShop(world, number)
  return {
    world,
    qr,
    shop,
    owner: () => signedIn(world, { accountId: shop.accountId }),
    async passTime(ms = SECOND_MS + 1) {
      world.clock.advance(ms)
      await world.service.processAll()
    },
    close,
  }
}

export async function connectNumber(
  { owner, shop }: Pick<LinkedWorld, 'owner' | 'shop'>,
  more: object = { acceptsRisk: true },
) {
  const path = `/companies/${shop.companyId}/channels`
  const json = { type: 'whatsapp_qr', name: 'The shop', credentials: {}, ...more }
  return (await owner()).ask<Shown.ConnectedChannel>('POST', path, json)
}

let serial = 0

/** Links a number that no other test has. */
export const linkNewNumber = (linked: LinkedWorld) =>
  linkNumber(linked, `1202555${String((serial += 1)).padStart(4, '3')}`)

/** Connects a number and scans its code with a phone. */
export async function linkNumber(linked: LinkedWorld, number = '12025550120') {
  const { owner, shop, qr, world } = linked
  const { body } = await connectNumber(linked)
  const { channel } = body
  const accountId = channel.credentials['reference']!
  const path = `/companies/${shop.companyId}/channels/${channel.id}`
  await world.service.processAll()
  qr.phones.act({ action: 'scan', accountId, text: number })
  world.clock.advance(1_001)
  await world.service.processAll()
  return {
    channel,
    path,
    view: async () => (await (await owner()).ask<Shown.ChannelView>('GET', path)).body,
    link: async () => (await (await owner()).ask<Shown.ChannelLink>('GET', `${path}/link`)).body,
    /** Lets a customer's phone do something. */
    act: (action: string, personId = SARA, text = '') =>
      void qr.phones.act({ action, accountId, personId, ...(text && { text }) }),
    /** A member answers its only customer. */
    async reply(text: string) {
      const { id } = await onlyConversation(world, { channelId: channel.id })
      const messages = `/companies/${shop.companyId}/conversations/${id}/messages`
      const key = `k-${(serial += 1)}`
      const { status } = await (await owner()).ask('POST', messages, { key, text })
      if (status >= 300) throw new Error(`the reply was answered ${status}`)
    },
    /** Returns the messages of the number in both directions, oldest first. */
    messages: () => messagesOf(world, { channelId: channel.id }),
  }
}

export type LinkedNumber = Awaited<ReturnType<typeof linkNumber>>
