/**
 * Two nodes receive and send for a page of Messenger, a bot of Telegram and a number linked by QR code. One after
 * the other is killed meanwhile. Each message of a customer is stored once with one event. Each answer of a member
 * arrives at most once, and its row says so if the outcome is unknown.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, expect, test } from 'vitest'
import { makeFolder } from '../support/own-folder.ts'
import { conversationsOf } from '../support/records/conversations.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { messagesOf } from '../support/records/messages.ts'
import { EVENT_DATA } from '../../src/contract/webhook-data.ts'
import { createClock } from '../../src/core/clock.ts'
import { SEND_LIMITS } from '../../src/core/limits/messaging.ts'
import { freePort } from '../support/free-port.ts'
import { createKillableService } from '../support/killable-service.ts'
import { settingsOfProcess } from '../support/killable-world.ts'
import { startBalancer } from '../support/balancer.ts'
import { startFaultLine } from '../support/fault-line.ts'
import { howManyKills, killsTakeMs } from '../support/kills.ts'
import { linkNumber, playBridge } from '../support/linked-number.ts'
import { PAGE_SECRET, PAGE_TOKEN, playMessaging } from '../support/messaging.ts'
import type { Member } from '../support/dashboard.ts'
import { createWorld } from '../support/test-service.ts'
import { simulateTelegram } from '../support/telegram.ts'
import { waitUntil } from '../support/wait.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'

/** The world and its nodes read the same secrets. */
const ENCRYPTION_KEYS = `k1:${randomBytes(32).toString('base64')}`
const clock = createClock()
const made = await createWorld({ encryptionKeys: ENCRYPTION_KEYS, clock })
// The simulated customers use the time of the nodes.
const world = { ...made, clock: { ...made.clock, now: clock.now } }
const page = await playMessaging(world, 'messenger')
const shop = await page.openShop()
const bridge = await playBridge(world, { phoneNumberId: '771', businessAccountId: '772' })
const { url, secret } = world.baseUrls.qrBridge!
const bots = await simulateTelegram(world)
const bot = await bots.openShop()
const { telegram } = bots
const lines = [
  await startFaultLine(page.simulator.baseUrl),
  await startFaultLine(url),
  await startFaultLine(telegram.baseUrl),
]
// A message arrives a while before the node learns of it: the node is killed in between.
for (const line of lines) line.always({ kind: 'slow', ms: 400 })
const nodes = await createKillableNodes({
  MESSENGER_URL: lines[0]!.url,
  QR_BRIDGE_URL: lines[1]!.url,
  TELEGRAM_URL: lines[2]!.url,
  QR_BRIDGE_SECRET: secret,
})
page.simulator.addAccount({
  id: shop.route,
  name: 'Riyadh shop',
  accessToken: PAGE_TOKEN + shop.route,
  appSecret: PAGE_SECRET,
  webhookUrl: `${nodes.url}/webhooks/messenger`,
})
afterEach(() => nodes.stop())
afterAll(async () => {
  await nodes.close()
  for (const line of lines) await line.close()
  await page.close()
  await bots.close()
  await bridge.close()
  await world.close()
})

/**
 * The longest wait: a number with a send gap is silent until what a killed node had claimed must be sent, two leases
 * later.
 */
const MAX_MS = 2 * SEND_LIMITS.leaseMs + 60_000
const until = (what: string, isSo: () => boolean | Promise<boolean>) =>
  waitUntil(what, isSo, { withinMs: MAX_MS, everyMs: 20 })

/** A channel whose nodes are killed, and its customers. */
type Scene = {
  companyId: string
  channelId: string
  owner: Pick<Member, 'ask'>
  customers: number
  writes(n: number, text: string): void
  /** All messages that arrived at customers, as often as they did. */
  arrived(): string[]
}

const textsIn = async (scene: Scene) =>
  (await messagesOf(world, { channelId: scene.channelId, direction: 'in' })).map(
    ({ text }) => text!,
  )

/** Lets a member answer each conversation. Returns the texts. */
async function answerAll(scene: Scene, round: number): Promise<string[]> {
  const conversations = await conversationsOf(world, { channelId: scene.channelId })
  const said: string[] = []
  for (const [place, { id }] of conversations.entries()) {
    const text = `answer ${round} to ${place}`
    const path = `/companies/${scene.companyId}/conversations/${encodeURIComponent(id)}/messages`
    const { status, body } = await scene.owner.ask('POST', path, { key: text, text })
    expect({ status, why: status === 201 ? null : body }).toEqual({ status: 201, why: null })
    said.push(text)
  }
  return said
}

/** Writes, answers and kills by turns until all has ended. Returns the texts of customers and members. */
async function fight(
  scene: Scene,
  kills: number,
): Promise<{ written: string[]; answered: string[] }> {
  const written: string[] = []
  const answered: string[] = []
  const write = (times: number) => {
    for (let n = 0; n < times; n += 1) {
      const text = `message ${written.length}`
      scene.writes(written.length % scene.customers, text)
      written.push(text)
    }
  }
  for (let kill = 0; kill < kills; kill += 1) {
    const node = nodes.of(kill)
    const before = (await textsIn(scene)).length
    write(7)
    await until('a message came', async () => (await textsIn(scene)).length > before)
    answered.push(...(await answerAll(scene, kill)))
    const arrivedBefore = scene.arrived().length
    write(7)
    // One of the answers is sent, and the others are being sent.
    await until('an answer went', () => scene.arrived().length > arrivedBefore)
    await node.kill()
    write(3)
    await node.start()
  }
  await until('all of it came', async () => new Set(await textsIn(scene)).size === written.length)
  const isUnderWay = async () =>
    (await messagesOf(world, { channelId: scene.channelId })).some(
      ({ status }) => status === 'queued' || status === 'sending',
    )
  await until('no message is being sent any more', async () => !(await isUnderWay()))
  return { written, answered }
}

async function expectSentOnce(scene: Scene, answered: readonly string[]): Promise<void> {
  const arrived = scene.arrived().filter((text) => text.startsWith('answer'))
  expect(arrived.toSorted()).toEqual([...new Set(arrived)].toSorted())
  const sent = await messagesOf(world, { channelId: scene.channelId, direction: 'out' })
  expect(sent.map(({ text }) => text).toSorted()).toEqual([...answered].toSorted())
  for (const { text, status } of sent) {
    expect(['accepted', 'sent', 'delivered', 'unknown']).toContain(status)
    if (status !== 'unknown') expect(arrived).toContain(text)
  }
}

/** Expects that each message of a customer is stored once and raised one event. */
async function expectToldOnce(scene: Scene, written: readonly string[]): Promise<void> {
  expect((await textsIn(scene)).toSorted()).toEqual(written.toSorted())
  const eventTexts = () =>
    world.receiver
      .events('message.received')
      .filter(({ company }) => company.id === scene.companyId)
      .map(({ data }) => EVENT_DATA['message.received'].parse(data).message.text!)
  await until('all events have arrived', () => new Set(eventTexts()).size === written.length)
  const raised = await eventTypesOf(world, { companyId: scene.companyId }, 'message.received')
  expect(raised).toHaveLength(written.length)
}

const KILLS_OF_PAGE = howManyKills({ max: 4 })
test(
  'a page of Messenger: nothing is lost, and nothing is sent twice',
  async () => {
    const customers = Array.from({ length: 5 }, (_, n) => shop.newCustomer(`Sara ${n}`))
    await nodes.start()
    const scene: Scene = {
      ...shop,
      customers: customers.length,
      writes: (n, text) => void page.simulator.sendText(customers[n]!, text),
      arrived: () => page.simulator.sent().map(({ text }) => text ?? ''),
    }
    const { written, answered } = await fight(scene, KILLS_OF_PAGE)
    await expectSentOnce(scene, answered)
    await expectToldOnce(scene, written)
    expect(scene.arrived().length).toBeGreaterThan(0)
  },
  killsTakeMs(KILLS_OF_PAGE) * TIMEOUT_FACTOR,
)

test(
  'a bot of Telegram: nothing is lost, and nothing is sent twice',
  async () => {
    const chats = Array.from({ length: 5 }, () => bot.newChat())
    await nodes.start()
    const scene: Scene = {
      companyId: bot.companyId,
      channelId: bot.channel.id,
      owner: bot.owner,
      customers: chats.length,
      writes: (n, text) => void telegram.sendText(chats[n]!, text),
      arrived: () =>
        chats
          .flatMap((chat) => telegram.chat(chat))
          .filter(({ from }) => from === 'business')
          .map(({ text }) => text ?? ''),
    }
    const { written, answered } = await fight(scene, KILLS_OF_PAGE)
    await until('Telegram has nothing left', () => telegram.waiting(bot.botId) === 0)
    await expectSentOnce(scene, answered)
    await expectToldOnce(scene, written)
    expect(bot.events('conversation.started').length).toBeGreaterThanOrEqual(chats.length)
  },
  killsTakeMs(KILLS_OF_PAGE) * TIMEOUT_FACTOR,
)

// This number sends every 8 to 20 s, so only a few messages are to be answered.
const KILLS_OF_NUMBER = howManyKills({ max: 1 })
test(
  'a number linked by QR code: nothing is lost, and nothing is sent twice or too soon after another',
  async () => {
    const number = await linkNumber(bridge, '12025553999')
    const { phones, bridge: played } = bridge.qr
    const people = ['12028880000', '12028880001']
    for (const person of people) phones.act({ action: 'addPerson', number: person, name: person })
    await nodes.start()
    const scene: Scene = {
      companyId: bridge.shop.companyId,
      owner: await bridge.owner(),
      channelId: number.channel.id,
      customers: people.length,
      writes: (n, text) => number.act('sendText', people[n], text),
      arrived: () => played.sent.map(({ text }) => text),
    }
    const { written, answered } = await fight(scene, KILLS_OF_NUMBER)
    await expectSentOnce(scene, answered)
    await expectToldOnce(scene, written)
    const times = played.sent.map(({ at }) => at)
    const gaps = times.slice(1).map((at, place) => at - times[place]!)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(8_000)
  },
  KILLS_OF_NUMBER * 2 * MAX_MS,
)

/** Starts two nodes of the service on the world's database, behind one address, like that of a load balancer. */
async function createKillableNodes(env: Record<string, string>) {
  const folder = makeFolder('nodes', afterAll)
  const ports = [await freePort(), await freePort()]
  const both = ports.map((port) =>
    createKillableService({
      ...settingsOfProcess(world, folder, { port, encryptionKeys: ENCRYPTION_KEYS }),
      LOG_LEVEL: 'info',
      ...env,
    }),
  )
  const balancer = await startBalancer(ports)
  const stop = async () => {
    await Promise.all(both.map((node) => node.stop()))
  }
  return {
    start: () => Promise.all(both.map((node) => node.start())),
    of: (turn: number) => both[turn % both.length]!,
    /** The address that gives each request to the next node; a dead node does not answer. */
    url: `http://127.0.0.1:${balancer.port}`,
    stop,
    async close() {
      await stop()
      await balancer.close()
    },
  }
}
