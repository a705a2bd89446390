/** A broadcast that goes out from services in processes of their own, and what must hold of it at the end. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { startSimulator, type Simulator } from '../../src/simulator/start-simulator.ts'
import { openBroadcasts, type Broadcasts } from './broadcasts.ts'
import { freePort } from './free-port.ts'
import { createKillableService, type KillableService } from './killable-service.ts'
import { approved } from './simulator.ts'
import { connectionUrl, createWorld, type World } from './service.ts'
import { ACCESS_TOKEN, APP_SECRET, createShop } from './shop.ts'

export type BroadcastProcesses = {
  world: World
  simulator: Simulator
  news: Broadcasts
  /** The first is who the provider tells of its messages. */
  services: KillableService[]
  /** Starts a broadcast to so many new contacts. */
  send(recipients: number): Promise<string>
  read(id: string): Promise<{ state: string; place: number; total: number }>
  /** Each recipient was written to once, but for a few who are shown as `unknown`. */
  expectEachOnce(id: string, of: { recipients: number; unknownMost: number }): Promise<void>
  close(): Promise<void>
}

/** So many digits that no last six of them stand for a fault. */
const phoneOf = (nth: number) => `+96650${String(2_000_000 + nth * 10 + 1)}`

/** @param doors what stands between a process and the provider, by the provider's URL. */
export async function openBroadcastProcesses(
  doors: ((providerUrl: string) => Promise<string>)[],
): Promise<BroadcastProcesses> {
  const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`
  const folder = mkdtempSync(path.join(tmpdir(), 'wasla-broadcast-'))
  // The world gives the database and the API; its own service does no work.
  const world = await createWorld({ encryptionKeys })
  const simulator = await startSimulator({
    port: 0,
    journalFile: null,
    clock: { now: () => new Date() },
    stepMs: 0,
    log: () => {},
    numbers: [],
  })
  const ports = await Promise.all(doors.map(() => freePort()))
  const shop = await createShop(world)
  simulator.addNumber({
    phoneNumberId: shop.phoneNumberId,
    businessAccountId: shop.businessAccountId,
    displayPhoneNumber: '15550783881',
    verifiedName: 'Shop',
    accessToken: ACCESS_TOKEN,
    appSecret: APP_SECRET,
    webhookUrl: `http://127.0.0.1:${ports[0]}/webhooks/whatsapp`,
    templates: ['ar', 'en'].map((language) => approved('order_ready', language)),
  })
  const news = await openBroadcasts(world, { simulator }, { openShop: () => Promise.resolve(shop) })
  const services = await Promise.all(
    doors.map(async (door, nth) =>
      createKillableService({
        DATABASE_URL: connectionUrl(world.database.connection),
        DATABASE_POOL: '8',
        DATA_FOLDER: path.join(folder, `${nth}`),
        DEMONSTRATION: 'off',
        ENCRYPTION_KEYS: encryptionKeys,
        PORT: String(ports[nth]),
        SIMULATOR_URL: await door(simulator.graphBaseUrl),
        LOG_LEVEL: 'warn',
      }),
    ),
  )
  return {
    world,
    simulator,
    news,
    services,
    async send(recipients) {
      await news.contacts(
        Array.from({ length: recipients }, (_, nth) => phoneOf(nth)),
        'vip',
      )
      const body = ['{{contact.name}}', '7'].map((text, nth) => ({ name: `${nth + 1}`, text }))
      return news.start('vip', { template: { name: 'order_ready', body }, perSecond: 50 })
    },
    read: (id) =>
      world.database.db.kysely
        .selectFrom('broadcast')
        .select(['state', 'place', 'total'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    async expectEachOnce(id, { recipients, unknownMost }) {
      const sentTo = simulator.messages().map(({ to }) => to)
      expect(new Set(sentTo).size).toBe(sentTo.length)
      const rows = await world.database.db.kysely
        .selectFrom('broadcastRecipient')
        .innerJoin('contact', 'contact.id', 'broadcastRecipient.contactId')
        .innerJoin('message', 'message.id', 'broadcastRecipient.messageId')
        .select(['contact.phone', 'message.status', 'message.id'])
        .where('broadcastRecipient.broadcastId', '=', id)
        .execute()
      expect(rows).toHaveLength(recipients)
      expect(new Set(rows.map(({ phone }) => phone)).size).toBe(recipients)
      const reached = new Set(sentTo.map((to) => `+${to}`))
      const unknown = rows.filter(({ status }) => status === 'unknown')
      // Only what was cut off before the provider had it was not sent, and that is what it is shown as.
      expect(rows.filter(({ phone }) => !reached.has(phone!))).toEqual(
        unknown.filter(({ phone }) => !reached.has(phone!)),
      )
      expect(unknown.length).toBeLessThan(unknownMost)
      const left = ['queued', 'sending', 'failed']
      expect(rows.filter(({ status }) => left.includes(status!))).toEqual([])
    },
    async close() {
      await Promise.all(services.map((service) => service.stop()))
      await simulator.close()
      await world.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
