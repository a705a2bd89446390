/**
 * The service is killed at random moments while a broadcast goes out, and started again. Whatever the moment:
 * nobody is written to twice, nobody is left behind, and what is not known is shown as such.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../src/simulator/start-simulator.ts'
import { openBroadcasts, type Broadcasts } from '../support/broadcasts.ts'
import { freePort } from '../support/free-port.ts'
import { createKillableService, type KillableService } from '../support/killable-service.ts'
import { howManyKills, killsTakeMs } from '../support/kills.ts'
import { approved } from '../support/simulator.ts'
import { connectionUrl, createWorld, type World } from '../support/service.ts'
import { ACCESS_TOKEN, APP_SECRET, createShop } from '../support/shop.ts'
import { waitUntil } from '../support/wait.ts'

const KILLS = howManyKills({ inCi: 6, atADesk: 3 })
/** `KILLS=30 KILL_ROWS=5000` asks for more than fits a run of the whole suite. */
const RECIPIENTS = Number(process.env.KILL_ROWS) || (process.env.CI ? 600 : 120)
/** Longer than every lease: what a killed process held is due at the next start. */
const LEASES_MS = 61_000
/** So many digits that no last six of them stand for a fault. */
const phoneOf = (nth: number) => `+96650${String(2_000_000 + nth * 10 + 1)}`

const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`
const folder = mkdtempSync(path.join(tmpdir(), 'wasla-broadcast-'))
let world: World
let simulator: Simulator
let service: KillableService
let news: Broadcasts

beforeAll(async () => {
  // The world gives the database and the API; its own service does no work.
  world = await createWorld({ encryptionKeys })
  const port = await freePort()
  simulator = await startSimulator({
    port: 0,
    journalFile: null,
    clock: { now: () => new Date() },
    stepMs: 0,
    log: () => {},
    numbers: [],
  })
  const shop = await createShop(world)
  simulator.addNumber({
    phoneNumberId: shop.phoneNumberId,
    businessAccountId: shop.businessAccountId,
    displayPhoneNumber: '15550783881',
    verifiedName: 'Shop',
    accessToken: ACCESS_TOKEN,
    appSecret: APP_SECRET,
    webhookUrl: `http://127.0.0.1:${port}/webhooks/whatsapp`,
    templates: ['ar', 'en'].map((language) => approved('order_ready', language)),
  })
  news = await openBroadcasts(world, { simulator }, { openShop: () => Promise.resolve(shop) })
  service = createKillableService({
    DATABASE_URL: connectionUrl(world.database.connection),
    DATABASE_POOL: '8',
    DATA_FOLDER: folder,
    DEMONSTRATION: 'off',
    ENCRYPTION_KEYS: encryptionKeys,
    PORT: String(port),
    SIMULATOR_URL: simulator.graphBaseUrl,
    LOG_LEVEL: 'warn',
  })
})
afterAll(async () => {
  await service.stop()
  await simulator.close()
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

test(
  `killed ${KILLS} times on the way to ${RECIPIENTS} recipients, it writes to each once`,
  async () => {
    await news.contacts(
      Array.from({ length: RECIPIENTS }, (_, nth) => phoneOf(nth)),
      'vip',
    )
    const values = ['{{contact.name}}', '7'].map((text, nth) => ({ name: `${nth + 1}`, text }))
    const template = { name: 'order_ready', body: values }
    const id = await news.start('vip', { template, perSecond: 50 })

    let aheadMs = 0
    const start = async (byMs = 0) => {
      aheadMs += byMs
      await service.start({ CLOCK_AHEAD_MS: String(aheadMs) })
    }
    await start()
    for (let kill = 0; kill < KILLS; kill += 1) {
      // Every other kill comes when something went out, however slow the machine is.
      const before = simulator.messages().length
      const goesOn = () => simulator.messages().length > before
      if (kill % 2 === 1 && before < RECIPIENTS / 2) await waitUntil('something is sent', goesOn)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 400))
      await service.kill()
      await start(kill % 6 === 5 ? LEASES_MS : 0)
    }
    const isDone = async () => (await stateOf(id)) === 'done'
    const pacedMs = (RECIPIENTS / 50) * 1_000
    await waitUntil('all have had their turn', allHandedOver(id), { withinMs: pacedMs + 60_000 })
    await service.kill()
    await start(LEASES_MS)
    await waitUntil('the broadcast is done', isDone, { withinMs: 60_000 })
    await simulator.idle()

    const sentTo = simulator.messages().map(({ to }) => to)
    expect(new Set(sentTo).size).toBe(sentTo.length)
    const rows = await world.database.db.kysely
      .selectFrom('broadcastRecipient')
      .innerJoin('contact', 'contact.id', 'broadcastRecipient.contactId')
      .innerJoin('message', 'message.id', 'broadcastRecipient.messageId')
      .select(['contact.phone', 'message.status', 'message.id'])
      .where('broadcastRecipient.broadcastId', '=', id)
      .execute()
    expect(rows).toHaveLength(RECIPIENTS)
    expect(new Set(rows.map(({ phone }) => phone)).size).toBe(RECIPIENTS)
    const reached = new Set(sentTo.map((to) => `+${to}`))
    const unknown = rows.filter(({ status }) => status === 'unknown')
    // Only what was cut off before the provider had it was not sent, and that is what it is shown as.
    expect(rows.filter(({ phone }) => !reached.has(phone!))).toEqual(
      unknown.filter(({ phone }) => !reached.has(phone!)),
    )
    expect(unknown.length).toBeLessThan(KILLS * 50)
    expect(rows.filter(({ status }) => ['queued', 'sending', 'failed'].includes(status!))).toEqual(
      [],
    )
  },
  killsTakeMs(KILLS) + RECIPIENTS * 40,
)

async function stateOf(id: string) {
  const { state } = await read(id)
  return state
}

function allHandedOver(id: string) {
  return async () => {
    const { state, place, total } = await read(id)
    return state === 'done' || (state === 'sending' && place === total)
  }
}

function read(id: string) {
  return world.database.db.kysely
    .selectFrom('broadcast')
    .select(['state', 'place', 'total'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}
