/**
 * Two nodes ask Telegram for one bot's news, and whichever it is that asks is killed in the middle of it, again and
 * again: every message that customers wrote is there once, and was told of once.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createClock } from '../../src/clock.ts'
import { createKillableService, type KillableService } from '../support/killable-service.ts'
import { howManyKills, killsTakeMs } from '../support/kills.ts'
import { connectionUrl, createWorld, type World } from '../support/service.ts'
import { simulateTelegram, type SimulatedTelegram, type TelegramShop } from '../support/telegram.ts'
import { waitUntil } from '../support/wait.ts'

const KILLS = howManyKills({ inCi: 12, atADesk: 3 })
const CHATS = 5
const folder = mkdtempSync(path.join(tmpdir(), 'wasla-telegram-killed-'))
const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`
let world: World
let provider: SimulatedTelegram
let shop: TelegramShop
let nodes: KillableService[]

beforeAll(async () => {
  world = await createWorld({ encryptionKeys, clock: createClock() })
  provider = await simulateTelegram(world)
  shop = await provider.openShop()
  const caFile = path.join(folder, 'ca.pem')
  writeFileSync(caFile, world.receiver.certificate)
  nodes = ['first', 'second'].map((name) =>
    createKillableService({
      DATABASE_URL: connectionUrl(world.database.connection),
      DATABASE_POOL: '6',
      DATA_FOLDER: path.join(folder, name),
      PORT: '0',
      DEMONSTRATION: 'off',
      EGRESS_ALLOW: '127.0.0.0/8',
      EXTRA_CA_FILE: caFile,
      ENCRYPTION_KEYS: encryptionKeys,
      TELEGRAM_URL: provider.telegram.baseUrl(),
      LOG_LEVEL: 'info',
    }),
  )
}, 60_000)
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
})
afterAll(async () => {
  await provider.close()
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

const until = (what: string, isSo: () => boolean | Promise<boolean>) =>
  waitUntil(what, isSo, { withinMs: 60_000, everyMs: 10 })
const texts = async () => (await shop.messages()).map(({ text }) => text!)

test(
  'no update is lost and none is told twice, whoever is killed while asking',
  async () => {
    const chats = Array.from({ length: CHATS }, () => shop.newChat())
    const written: string[] = []
    const write = (times: number) => {
      for (let n = 0; n < times; n += 1) {
        const said = `message ${written.length}`
        provider.telegram.sendText(chats[written.length % CHATS]!, said)
        written.push(said)
      }
    }
    await Promise.all(nodes.map((node) => node.start()))
    for (let kill = 0; kill < KILLS; kill += 1) {
      const node = nodes[kill % nodes.length]!
      const before = (await texts()).length
      write(7)
      // Some of it is in, some is on its way.
      await until('a message came', async () => (await texts()).length > before)
      write(7)
      await node.kill()
      write(3)
      await node.start()
    }
    await until('all of it came', async () => new Set(await texts()).size === written.length)
    await until('Telegram has nothing left', () => provider.telegram.waiting(shop.botId) === 0)
    expect((await texts()).toSorted()).toEqual(written.toSorted())
    const told = () => shop.events('message.received').map(({ message }) => message.text!)
    await until('all of it was told', () => new Set(told()).size === written.length)
    const { rows } = await world.database.db.pool.query<{ n: number }>(
      `select count(*)::int as n from event where type = 'message.received'`,
    )
    expect(rows[0]!.n).toBe(written.length)
    expect(shop.events('conversation.started').length).toBeGreaterThanOrEqual(CHATS)
  },
  killsTakeMs(KILLS),
)
