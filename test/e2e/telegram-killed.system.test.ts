/**
 * Two nodes ask Telegram for one bot's news, and whichever it is that asks is killed in the middle of it, again and
 * again: every message that customers wrote is there once, and was told of once.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createClock } from '../../src/clock.ts'
import {
  createKillableNodes,
  ENCRYPTION_KEYS,
  type KillableNodes,
} from '../support/killable-nodes.ts'
import { howManyKills, killsTakeMs } from '../support/kills.ts'
import { createWorld, type World } from '../support/service.ts'
import { simulateTelegram, type SimulatedTelegram, type TelegramShop } from '../support/telegram.ts'
import { waitUntil } from '../support/wait.ts'
import { PATIENCE } from '../support/patience.ts'

const KILLS = howManyKills({ most: 4 })
const CHATS = 5
let world: World
let provider: SimulatedTelegram
let shop: TelegramShop
let nodes: KillableNodes

beforeAll(async () => {
  world = await createWorld({ encryptionKeys: ENCRYPTION_KEYS, clock: createClock() })
  provider = await simulateTelegram(world)
  shop = await provider.openShop()
  nodes = await createKillableNodes(world, { TELEGRAM_URL: provider.telegram.baseUrl() })
})
afterEach(() => nodes.stop())
afterAll(async () => {
  await nodes.close()
  await provider.close()
  await world.close()
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
    await nodes.start()
    for (let kill = 0; kill < KILLS; kill += 1) {
      const node = nodes.of(kill)
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
  killsTakeMs(KILLS) * PATIENCE,
)
