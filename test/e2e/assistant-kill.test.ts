/**
 * The service is killed at many moments while the assistant answers, and started again. The model, the
 * shop's API and the provider stay up, as they would. Whatever the moment: no POST is made twice, no message
 * is sent twice, and no customer is left without an answer or a person.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../src/simulator/start-simulator.ts'
import { actionRequest, ORDER } from '../connections/action-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { freePort } from '../support/free-port.ts'
import { createKillableService, type KillableService } from '../support/killable-service.ts'
import { howManyKills, killsTakeMs } from '../support/kills.ts'
import { startModelServer, type AskedOfModel, type ModelServer } from '../support/model-server.ts'
import { call, say, type Turn } from '../support/model-turns.ts'
import { connectionUrl, createWorld, type World } from '../support/service.ts'
import { connectApi, json, startShopApi, type ShopApi } from '../support/shop-api.ts'
import { ACCESS_TOKEN, APP_SECRET, createShop, type Shop } from '../support/shop.ts'
import { waitUntil } from '../support/wait.ts'

const KILLS = howManyKills({ inCi: 15, atADesk: 5 })
/** Longer than every lease. */
const LEASES_MS = 91_000
const CUSTOMERS_PER_KILL = 3
const LONG = 'It is on its way and you will have it soon. '.repeat(100)

const POST = { method: 'POST', path: '/notes', body: '{"order":"{{args.order}}"}' } as const
const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`
const folder = mkdtempSync(path.join(tmpdir(), 'wasla-assistant-kill-'))
let world: World
let api: ShopApi
let model: ModelServer
let simulator: Simulator
let service: KillableService
let shop: Shop
const phones: string[] = []

beforeAll(async () => {
  world = await createWorld({ encryptionKeys })
  api = await startShopApi(world)
  let answers = 0
  api.reply((request, response) => {
    setTimeout(() => json(200, { state: 'noted' })(request, response), (++answers * 13) % 60)
  })
  model = await startModelServer()
  model.otherwise = nextOf
  shop = await createShop(world, { eventTypes: ['ping'] })
  const owner = await signedIn(world, { accountId: shop.accountId })
  const connectionId = world.service.context.ids.uuid()
  await connectApi(world, { id: connectionId, companyId: shop.companyId, baseUrl: api.baseUrl })
  for (const [toolName, method] of [
    ['look', 'GET'],
    ['note', 'POST'],
  ] as const) {
    const made = await owner.ask('POST', `/companies/${shop.companyId}/actions`, {
      toolName,
      description: 'Sees to an order.',
      needsConfirmation: false,
      parameters: [ORDER],
      request: actionRequest(connectionId, method === 'GET' ? {} : POST),
    })
    if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  }
  await world.database.db.kysely
    .insertInto('assistant')
    .values({ companyId: shop.companyId, isOn: true, gatherMs: 0, updatedAt: new Date() })
    .execute()
  const port = await freePort()
  simulator = await startSimulator({
    port: 0,
    journalFile: null,
    clock: { now: () => new Date() },
    stepMs: 5,
    log: () => {},
    numbers: [
      {
        phoneNumberId: shop.phoneNumberId,
        businessAccountId: shop.businessAccountId,
        displayPhoneNumber: '15550783881',
        verifiedName: 'Shop',
        accessToken: ACCESS_TOKEN,
        appSecret: APP_SECRET,
        webhookUrl: `http://127.0.0.1:${port}/webhooks/whatsapp`,
        templates: [],
      },
    ],
  })
  const caFile = path.join(folder, 'ca.pem')
  writeFileSync(caFile, world.receiver.certificate)
  service = createKillableService({
    DATABASE_URL: connectionUrl(world.database.connection),
    DATABASE_POOL: '8',
    DATA_FOLDER: folder,
    DEMONSTRATION: 'off',
    EGRESS_ALLOW: '127.0.0.0/8',
    EXTRA_CA_FILE: caFile,
    ENCRYPTION_KEYS: encryptionKeys,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    SIMULATOR_URL: simulator.graphBaseUrl,
    MODEL_BASE_URL: model.baseUrl,
    MODEL_NAME: 'scripted',
  })
})
afterAll(async () => {
  await service.stop()
  await simulator.close()
  await model.close()
  await api.close()
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Looks, notes and then says two parts, by what it was told so far. */
function nextOf({ body }: AskedOfModel): Turn {
  const number = /order (\d+)/.exec(JSON.stringify(body.messages))?.[1] ?? '0'
  const told = body.messages.filter(({ role }) => role === 'tool').length
  if (told === 0) return call('action_look', { order: number })
  if (told === 1) return call('action_note', { order: number })
  return say(`Order ${number}. ${LONG}`)
}

test(
  `killed at ${KILLS} moments, it makes no POST and sends no message twice, and answers everybody`,
  async () => {
    let aheadMs = 0
    const start = async (byMs = 0) => {
      aheadMs += byMs
      await service.start({ CLOCK_AHEAD_MS: String(aheadMs) })
    }
    await start()
    for (let kill = 0; kill < KILLS; kill += 1) {
      for (let nth = 0; nth < CUSTOMERS_PER_KILL; nth += 1) {
        const order = phones.length
        const number = `+96650${String(2_000_000 + order)}`
        phones.push(number)
        simulator.addPerson({ number, name: 'Sara' })
        simulator.sendText({ from: number, text: `Please see to order ${1_000 + order}` })
      }
      // Another moment of the replies each time: requests to models, calls and sends.
      const effects = () => model.asked.length + api.requests.length + simulator.messages().length
      const before = effects()
      const enough = 1 + ((kill * 7) % (CUSTOMERS_PER_KILL * 7))
      await waitUntil('the replies are so far', () => effects() >= before + enough, {
        withinMs: 30_000,
        everyMs: 1,
      })
      await service.kill()
      await start()
    }
    const { kysely } = world.database.db
    const open = async () => {
      const rows = await kysely
        .selectFrom('assistantReply')
        .select('id')
        .where('endedAt', 'is', null)
        .execute()
      const written = await kysely.selectFrom('conversation').select('id').execute()
      return rows.length > 0 || written.length < phones.length
    }
    for (let patience = 0; patience < 4 && (await open()); patience += 1) {
      await expect
        .poll(open, { timeout: 10_000 })
        .toBe(false)
        .catch(() => {})
      if (!(await open())) break
      await service.kill()
      await start(LEASES_MS)
    }
    expect(await open()).toBe(false)

    const posts = api.requests.filter(({ method }) => method === 'POST').map(({ body }) => body)
    expect(posts).toEqual([...new Set(posts)])
    const sent = simulator.messages().map(({ to, text }) => `${to} ${text}`)
    expect(sent).toEqual([...new Set(sent)])
    const replies = await kysely
      .selectFrom('assistantReply')
      .select(['state', 'detail', 'conversationId'])
      .execute()
    expect(new Set(replies.map(({ conversationId }) => conversationId)).size).toBe(phones.length)
    const ends = new Set(replies.map(({ state }) => state))
    expect(ends.isSubsetOf(new Set(['sent', 'unknown', 'handed_over']))).toBe(true)
    const told = new Set(simulator.messages().map(({ to }) => to))
    const left = phones.filter((phone) => !told.has(phone.slice(1)))
    const handed = replies.filter(({ state }) => state !== 'sent').length
    expect(left.length).toBeLessThanOrEqual(handed)
  },
  killsTakeMs(KILLS),
)
