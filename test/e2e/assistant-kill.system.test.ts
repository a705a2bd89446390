/**
 * The service is killed at many moments while the assistant answers, and started again. The model, the
 * shop's API and the provider stay up, as they would. One customer has an order seen to, by a GET, a POST and an
 * answer in two parts; the next is told a free time, takes it and is booked. Whatever the moment: no POST is made
 * twice, nobody is booked twice, no message is sent twice, and no customer is left without an answer or a person,
 * unless nobody knows whether the provider has their message.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../src/simulator/start-simulator.ts'
import { DAY_MS } from '../../src/limits/units.ts'
import { actionRequest, ORDER } from '../connections/action-world.ts'
import { bookableShop } from '../support/bookable.ts'
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
import { PATIENCE } from '../support/patience.ts'

const FIRST_ORDER = 1_000
const KILLS = howManyKills({ most: 8 })
/** Longer than every lease. */
const LEASES_MS = 91_000
const CUSTOMERS_PER_KILL = 4
/** Starts in a day at which somebody can be booked: from 09:00 on, each an hour. */
const STARTS_OF_DAY = 8
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
/** Who was told a free time and has taken it. */
const takers = new Set<string>()
const isBooking = (order: number) => order % 2 === 1

beforeAll(async () => {
  world = await createWorld({ encryptionKeys })
  world.clock.moveTo(new Date().toISOString())
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
  const bookable = await bookableShop(world, shop.companyId)
  const person = await bookable.resource()
  await bookable.service([{ id: person }], { minutes: 60, stepMin: 60 })
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

/** Looks, notes and then says two parts; or finds a time, says it and books it: by what it was told so far. */
function nextOf({ body }: AskedOfModel): Turn {
  const number = Number(/order (\d+)/.exec(JSON.stringify(body.messages))?.[1] ?? '0')
  const told = body.messages.filter(({ role }) => role === 'tool').length
  if (isBooking(number)) {
    const { day, time } = timeOf(number)
    const isTaken = JSON.stringify(body.messages).includes(TAKES)
    if (told > 0)
      return say(isTaken ? `See you, order ${number}.` : `For order ${number} we have ${time}.`)
    if (!isTaken) return call('find_slots', { service: 'Haircut', day })
    return call('book_appointment', { service: 'Haircut', starts: `${day}T${time}` })
  }
  const order = String(number)
  if (told === 0) return call('action_look', { order })
  if (told === 1) return call('action_note', { order })
  return say(`Order ${order}. ${LONG}`)
}

const TAKES = 'I take it'

/** Of each who books another one, from the day after tomorrow on. */
function timeOf(order: number): { day: string; time: string } {
  const nth = Math.floor((order - FIRST_ORDER) / 2)
  const at = new Date(world.clock.now().getTime() + (2 + Math.floor(nth / STARTS_OF_DAY)) * DAY_MS)
  return {
    day: at.toISOString().slice(0, 10),
    time: `${String(9 + (nth % STARTS_OF_DAY)).padStart(2, '0')}:00`,
  }
}

/** Whoever was told a time takes it. */
function takeTimes(): void {
  for (const { to, text } of simulator.messages()) {
    if (!text?.includes(' we have ') || takers.has(to)) continue
    takers.add(to)
    simulator.sendText({ from: `+${to}`, text: TAKES })
  }
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
        const number = `+96650${String(2_000_001 + order)}`
        phones.push(number)
        simulator.addPerson({ number, name: 'Sara' })
        simulator.sendText({ from: number, text: `Please see to order ${FIRST_ORDER + order}` })
      }
      // Another moment of the replies each time: requests to models, calls and sends.
      const effects = () => model.asked.length + api.requests.length + simulator.messages().length
      const before = effects()
      const enough = 1 + ((kill * 7) % (CUSTOMERS_PER_KILL * 7))
      const isSoFar = () => {
        takeTimes()
        return effects() >= before + enough
      }
      await waitUntil('the replies are so far', isSoFar, {
        withinMs: 30_000,
        everyMs: 1,
      })
      await service.kill()
      await start()
    }
    const { kysely } = world.database.db
    const left = async () => {
      takeTimes()
      const active = await kysely
        .selectFrom('assistantReply')
        .select('id')
        .where('endedAt', 'is', null)
        .execute()
      const begun = await kysely
        .selectFrom('message')
        .select('id')
        .where('direction', '=', 'in')
        .execute()
      const coming = phones.length + takers.size - begun.length
      return { active: active.length, coming }
    }
    const open = async () => Object.values(await left()).some((count) => count > 0)
    for (let patience = 0; patience < 12 && (await open()); patience += 1) {
      await expect
        .poll(open, { timeout: 10_000 })
        .toBe(false)
        .catch(() => {})
      if (!(await open())) break
      await service.kill()
      await start(LEASES_MS)
    }
    expect(await left()).toEqual({ active: 0, coming: 0 })

    const posts = api.requests.filter(({ method }) => method === 'POST').map(({ body }) => body)
    expect(posts).toEqual([...new Set(posts)])
    const sent = simulator.messages().map(({ to, text }) => `${to} ${text}`)
    expect(sent).toEqual([...new Set(sent)])
    await expectNobodyBookedTwice()
    await expectNobodyLeft()
    expect(takers.size).toBeGreaterThan(0)
  },
  killsTakeMs(KILLS) * PATIENCE,
)

async function expectNobodyBookedTwice(): Promise<void> {
  const { rows } = await world.database.db.pool.query<{ booked: number; events: number }>(
    `select count(*)::int as booked, count(distinct conversation_id)::int as customers,
       (select count(*)::int from event where type = 'appointment.booked') as events
     from appointment`,
  )
  const { booked } = rows[0]!
  expect(booked).toBeGreaterThan(0)
  expect(rows[0]).toEqual({ booked, customers: booked, events: booked })
}

/** All that a reply says has come to the customer, or a person has the conversation, or it is known that it is not known. */
async function expectNobodyLeft(): Promise<void> {
  const { rows } = await world.database.db.pool.query<Ended>(
    `select filed_under as phone, reply.state, reply.parts,
       exists (select from handover where reply_id = reply.id) as is_handed,
       exists (select from message where reply_id = reply.id and status <> 'failed') as may_have_come
     from assistant_reply reply join conversation on conversation.id = reply.conversation_id`,
  )
  expect(new Set(rows.map(({ phone }) => phone)).size).toBe(phones.length)
  for (const { phone, state, parts, is_handed, may_have_come } of rows) {
    const got = simulator.messages().filter(({ to }) => to === phone)
    const texts = (JSON.parse(parts ?? '{"texts":[]}') as { texts: string[] }).texts
    const isTold = texts.length > 0 && texts.every((text) => got.some((one) => one.text === text))
    const isSeenTo = { sent: isTold, handed_over: is_handed, unknown: may_have_come }
    expect([phone, state, isSeenTo[state as keyof typeof isSeenTo]]).toEqual([phone, state, true])
  }
  expect(rows.filter(({ state }) => state === 'sent').length).toBeGreaterThan(0)
}

type Ended = {
  phone: string
  state: string
  parts: string | null
  is_handed: boolean
  may_have_come: boolean
}
