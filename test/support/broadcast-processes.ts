/** A broadcast that services in separate processes send, and what must be true of it at the end. */
import { expect } from 'vitest'
import { openBroadcasts } from './broadcasts.ts'
import { numberOf } from './simulator.ts'
import { openKillableWorld, openSimulator, type ServiceProcess } from './killable-world.ts'
import { broadcastOf } from './records/broadcasts.ts'
import { contactsOf } from './records/contacts.ts'
import { conversationsOf } from './records/conversations.ts'
import { messagesOf } from './records/messages.ts'
import { createShop } from './shop.ts'

/** No phone number ends in six digits for which the simulator plays a fault. */
const phoneOf = (nth: number) => `+96650${String(2_000_000 + nth * 10 + 1)}`

/**
 * Starts one process for each of `proxies`, which returns the URL at which the process reaches the provider,
 * given the provider's own URL.
 */
export async function openBroadcastProcesses(
  proxies: ((providerUrl: string) => Promise<string>)[],
) {
  const { world, serve } = await openKillableWorld()
  const simulator = await openSimulator()
  const shop = await createShop(world)
  const news = await openBroadcasts(world, { simulator }, { openShop: () => Promise.resolve(shop) })
  const services: ServiceProcess[] = []
  for (const proxy of proxies) {
    services.push(await serve({ SIMULATOR_URL: await proxy(simulator.baseUrl) }))
  }
  simulator.addNumber(numberOf(shop, services[0]!.url))
  return {
    world,
    simulator,
    news,
    /** The provider sends its webhooks to the first of these services. */
    services,
    /** Starts a broadcast to this number of new contacts. */
    async send(recipients: number) {
      const phones = Array.from({ length: recipients }, (_, nth) => phoneOf(nth))
      await news.contacts(phones, 'vip')
      const body = ['{{contact.name}}', '7'].map((text, nth) => ({ name: `${nth + 1}`, text }))
      return news.start('vip', { template: { name: 'order_ready', body }, perSecond: 50 })
    },
    read: (id: string) => broadcastOf(world, id),
    /** Checks that each recipient got one message, except for a few whose message is `unknown`. */
    async expectEachOnce(
      id: string,
      { recipients, maxUnknown }: { recipients: number; maxUnknown: number },
    ) {
      const sentTo = simulator.messages().map(({ to }) => to)
      expect(new Set(sentTo).size).toBe(sentTo.length)
      const { companyId } = shop
      const contacts = await contactsOf(world, { companyId })
      const phones = new Map(contacts.map((contact) => [contact.id, contact.phone]))
      const conversations = await conversationsOf(world, { companyId })
      const customers = new Map(conversations.map((one) => [one.id, one.contactId!]))
      const rows = (await messagesOf(world, { broadcastId: id })).map((message) => ({
        phone: phones.get(customers.get(message.conversationId)!),
        status: message.status,
      }))
      expect(rows).toHaveLength(recipients)
      expect(new Set(rows.map(({ phone }) => phone)).size).toBe(recipients)
      const reached = new Set(sentTo.map((to) => `+${to}`))
      const unknown = rows.filter(({ status }) => status === 'unknown')
      // Only a message that was cut off before it reached the provider may be missing, and its status says so.
      expect(rows.filter(({ phone }) => !reached.has(phone!))).toEqual(
        unknown.filter(({ phone }) => !reached.has(phone!)),
      )
      expect(unknown.length).toBeLessThan(maxUnknown)
      const left = ['queued', 'sending', 'failed']
      expect(rows.filter(({ status }) => left.includes(status!))).toEqual([])
    },
  }
}
