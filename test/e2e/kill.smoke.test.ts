/**
 * The service is killed at random moments of running journeys and started again. WhatsApp and the
 * merchant stay up, as they would. Whatever the moment: every accepted run ends, every event arrives
 * at least once with the same bytes, no template is sent twice, and a repeated request gets the id of
 * the first.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventIdText } from '../../src/events/event-id.ts'
import { startSimulator, type Simulator } from '../../src/simulator/start-simulator.ts'
import { askHook, ORDER } from '../support/ask-hook.ts'
import { freePort } from '../support/free-port.ts'
import { createKillableService, type KillableService } from '../support/killable-service.ts'
import { howManyKills, killsTakeMs } from '../support/kills.ts'
import { approved } from '../support/simulator.ts'
import { connectionUrl, createWorld, type World } from '../support/service.ts'
import { ACCESS_TOKEN, APP_SECRET, createShop, type Shop } from '../support/shop.ts'
import { repeatWhile, waitUntil } from '../support/wait.ts'
import { inEnglish } from '../support/in-english.ts'
import { PATIENCE } from '../support/patience.ts'
import { createRandom } from '../support/random.ts'

const random = createRandom('kill')

const KILLS = howManyKills({ most: 10 })
/** As many as keep every hook URL within its requests of a minute. */
const SHOPS = 10
/** Longer than every lease: what a killed process held is due at the next start. */
const LEASES_MS = 61_000
/** Leases end a few times on the way, well within what a send waits for its receipt. */
const KILLS_A_LEASE = 6

const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`
const folder = mkdtempSync(path.join(tmpdir(), 'wasla-kill-'))
let world: World
let shops: Shop[]
let simulator: Simulator
let service: KillableService
let port: number
let orders = 0
/** A second try goes on from here: time does not run back for what the first one left. */
let aheadMs = 0

beforeAll(async () => {
  // The world gives the database, the receiver and the shop; its own service does no work.
  world = await createWorld({ encryptionKeys })
  port = await freePort()
  simulator = await startSimulator({
    port: 0,
    journalFile: null,
    clock: { now: () => new Date() },
    stepMs: 0,
    autoReply: { afterMs: 0 },
    log: () => {},
    numbers: [],
  })
  shops = []
  for (let shop = 0; shop < SHOPS; shop += 1) {
    shops.push(
      await createShop(world, { phoneNumberId: `1000${shop}`, businessAccountId: `2000${shop}` }),
    )
  }
  for (const { phoneNumberId, businessAccountId } of shops) {
    simulator.addNumber({
      phoneNumberId,
      businessAccountId,
      displayPhoneNumber: '15550783881',
      verifiedName: 'Shop',
      accessToken: ACCESS_TOKEN,
      appSecret: APP_SECRET,
      webhookUrl: `http://127.0.0.1:${port}/webhooks/whatsapp`,
      templates: ['ar', 'en'].map((language) => approved('order_ready', language)),
    })
  }
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
    TRUSTED_PROXIES: '127.0.0.0/8',
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
  `killed at ${KILLS} random moments, it loses nothing and sends nothing twice`,
  async () => {
    const ids = new Map<string, Set<string>>()
    let answered = 0
    let isAsking = true

    /** A shop's server: one order after the other, each repeated with its key until it is answered. */
    async function askOn() {
      await repeatWhile('orders', () => isAsking, askOnce, { withinMs: killsTakeMs(KILLS) })
    }
    async function askOnce() {
      orders += 1
      const key = `order-${orders}`
      const url = `http://127.0.0.1:${port}/hooks/${shops[orders % SHOPS]!.hookToken}`
      const headers = { 'idempotency-key': key, 'x-forwarded-for': `198.18.0.${orders % 250}` }
      const order = {
        ...ORDER,
        customer: { ...ORDER.customer, phone: `+9665${String(10_000_000 + orders)}` },
      }
      const answers = ids.get(key) ?? new Set()
      ids.set(key, answers)
      const isAnswered = async () => {
        const answer = await askHook(url, order, headers).catch(() => null)
        if (answer?.http !== 202 && answer?.http !== 200) return !isAsking
        answers.add(answer.id!)
        answered += 1
        return true
      }
      await waitUntil(`an answer to ${key}`, isAnswered, {
        withinMs: killsTakeMs(KILLS),
        everyMs: 20,
      })
    }

    const start = async (byMs = 0) => {
      aheadMs += byMs
      await service.start({ CLOCK_AHEAD_MS: String(aheadMs) })
    }
    await start()
    const asking = Promise.all([askOn(), askOn()])
    asking.catch(() => {})
    try {
      for (let kill = 0; kill < KILLS; kill += 1) {
        // Every other kill comes when something was accepted, however slow the machine is.
        const before = answered
        if (kill % 2 === 1) await waitUntil('an order is accepted', () => answered > before)
        await new Promise((resolve) => setTimeout(resolve, random() * 250))
        await service.kill()
        await start(kill % KILLS_A_LEASE === 0 ? LEASES_MS : 0)
      }
    } finally {
      isAsking = false
    }
    await asking
    // The provider tells all it has to tell before anything is given up.
    await simulator.idle()

    const { kysely } = world.database.db
    const unended = () =>
      kysely.selectFrom('flowRun').select('id').where('endedAt', 'is', null).execute()
    const undelivered = () =>
      kysely.selectFrom('webhookDelivery').select('id').where('state', '=', 'pending').execute()
    // Leases end, then sends whose answer was lost are given up: each needs a later start.
    for (let patience = 0; patience < 15; patience += 1) {
      await expect
        .poll(async () => (await unended()).length + (await undelivered()).length, {
          timeout: 1_500,
        })
        .toBe(0)
        .catch(() => {})
      if ((await unended()).length + (await undelivered()).length === 0) break
      await service.kill()
      await start(LEASES_MS)
      await simulator.idle()
    }

    const runs = await kysely.selectFrom('flowRun').selectAll().execute()
    const accepted = [...ids.values()].flatMap((answers) => [...answers])
    expect(accepted.length).toBeGreaterThan(KILLS / 3)
    // Every repeat of a key was answered with one id, and that run is there.
    for (const answers of ids.values()) expect(answers.size).toBeLessThanOrEqual(1)
    expect(accepted.filter((id) => !runs.some((run) => run.id === id))).toEqual([])
    expect(runs.filter((run) => run.endedAt === null)).toEqual([])
    // The only way not to complete is a send that was cut off before it reached the provider.
    const reached = new Set(simulator.messages().map((message) => message.ourReference))
    const messages = await kysely
      .selectFrom('message')
      .select(['id', 'runId'])
      .where('direction', '=', 'out')
      .execute()
    for (const run of runs.filter(({ status }) => status !== 'completed')) {
      expect(run).toMatchObject({ status: 'failed', endReason: 'error' })
      expect(inEnglish(run.endDetail)).toContain('never told whether')
      expect(messages.some(({ id, runId }) => runId === run.id && reached.has(id))).toBe(false)
    }
    const completed = runs.filter(({ status }) => status === 'completed')
    expect(completed.length).toBeGreaterThan(runs.length / 2)
    expect(completed.every((run) => JSON.parse(run.variables).answer === 'Yes, today')).toBe(true)
    console.log(`${runs.length} runs, ${runs.length - completed.length} cut off before their send`)

    const sentTo = simulator.messages().map((message) => message.to)
    expect(new Set(sentTo).size).toBe(sentTo.length)

    const events = await kysely.selectFrom('event').select(['id', 'type', 'runId']).execute()
    const bodies = new Map<string, string>()
    for (const { event, body } of world.receiver.received) {
      const known = bodies.get(event.id)
      if (known !== undefined) expect(body.toString('hex')).toBe(known)
      bodies.set(event.id, body.toString('hex'))
    }
    expect(events.filter((event) => !bodies.has(eventIdText(event.id)))).toEqual([])
    expect(bodies.size).toBe(events.length)
    const ends = events.filter(({ type }) => type === 'flow.completed' || type === 'flow.failed')
    expect(ends.map((event) => event.runId).toSorted()).toEqual(
      runs.map((run) => run.id).toSorted(),
    )
    expect(service.logged()).not.toMatch(/whsec_[\w-]{20}|hook_[\w-]{37}/)
  },
  killsTakeMs(KILLS) * PATIENCE,
)
