/**
 * The service is killed again and again while members reply, a flow asks customers and an import brings
 * contacts in. WhatsApp and the people stay up: who got no answer asks again, with the key of before.
 * Whatever the moment, nothing goes out twice, no row comes in twice, nothing that was answered is lost,
 * and a send of which nobody knows is shown as one.
 *
 * Spec: States › Sent message; Contacts › Import; Flows › Effects.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ContactImportView } from '../../src/contract/dashboard/contact-import.ts'
import type { SentReply, TimelineItem } from '../../src/contract/dashboard/conversation.ts'
import type { FlowDetail } from '../../src/contract/dashboard/flow.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { startSimulator, type Simulator } from '../../src/simulator/start-simulator.ts'
import { freePort } from '../support/free-port.ts'
import { askApi, signedIn, type Member } from '../support/dashboard.ts'
import { createKillableService, type KillableService } from '../support/killable-service.ts'
import { howManyKills, killsTakeMs } from '../support/kills.ts'
import { connectionUrl, createWorld, type World } from '../support/service.ts'
import { ACCESS_TOKEN, APP_SECRET, createShop, type Shop } from '../support/shop.ts'
import { uploadContacts } from '../support/upload-contacts.ts'
import { repeatWhile, waitUntil } from '../support/wait.ts'
import { PATIENCE } from '../support/patience.ts'
import { createRandom } from '../support/random.ts'

const random = createRandom('inbox-kill')

const KILLS = howManyKills({ most: 4 })
/** A page of an import is 500 rows: about one is brought in between two kills. `KILL_ROWS` asks for more. */
const ROWS = Number(process.env.KILL_ROWS) || KILLS * 300
/** Conversations in which members reply. */
const TALKS = 5
const MEMBERS = 2
/** Replies between two kills, and orders at most: WhatsApp as it is played remembers 5,000 messages. */
const REPLIES = 5
const ORDERS = Math.min(20, Math.floor(1_000 / KILLS))
/** When a kill comes: at any moment, with a send that the provider has not got, or has not answered. */
const MOMENTS = ['any', 'before', 'after'] as const
/** Longer than every lease: what a killed process held is due at the next start. */
const LEASES_MS = 61_000
/** Longer than an import rests between two of its pages. */
const PAGE_MS = 3_000
const PATIENTLY = { withinMs: 60_000, everyMs: 20 }

const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`
const folder = mkdtempSync(path.join(tmpdir(), 'wasla-inbox-kill-'))
let world: World
let shop: Shop
let simulator: Simulator
let road: Road
let service: KillableService
let url: string
let owner: Member

beforeAll(async () => {
  // The world gives the database; its own service does no work.
  world = await createWorld({ encryptionKeys })
  world.clock.moveTo(new Date().toISOString())
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  simulator = await startSimulator({
    port: 0,
    journalFile: null,
    clock: { now: () => new Date() },
    stepMs: 0,
    autoReply: { afterMs: 0 },
    log: () => {},
    numbers: [],
    webhooks: { batch: true, attempts: 1_000 },
  })
  road = await openRoad(simulator.url)
  shop = await createShop(world, { eventTypes: ['ping'] })
  simulator.addNumber({
    phoneNumberId: shop.phoneNumberId,
    businessAccountId: shop.businessAccountId,
    displayPhoneNumber: '15550783881',
    verifiedName: 'Shop',
    accessToken: ACCESS_TOKEN,
    appSecret: APP_SECRET,
    webhookUrl: `${url}/webhooks/whatsapp`,
    templates: [],
  })
  owner = await signedIn(world, { accountId: shop.accountId })
  await publishQuestion()
  service = createKillableService({
    DATABASE_URL: connectionUrl(world.database.connection),
    DATABASE_POOL: '8',
    DATA_FOLDER: folder,
    DEMONSTRATION: 'off',
    ENCRYPTION_KEYS: encryptionKeys,
    PORT: String(port),
    SIMULATOR_URL: simulator.graphBaseUrl.replace(simulator.url, road.url),
    LOG_LEVEL: 'warn',
  })
})
afterAll(async () => {
  await service.stop()
  await road.close()
  await simulator.close()
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Who writes "order" is asked a question, and thanked for the answer. */
async function publishQuestion() {
  const flows = `/companies/${shop.companyId}/flows`
  const { id } = (await owner.ask<FlowDetail>('POST', flows, { name: 'Asks' })).body
  const steps = {
    ask: {
      kind: 'ask',
      text: 'Shall we bring it today?',
      answer: 'yes_no',
      saveAs: 'today',
      timeoutMinutes: 600,
      next: 'thanks',
      onTimeout: null,
    },
    thanks: { kind: 'send_message', text: 'Thank you', next: null },
  }
  const trigger = { kind: 'keyword', words: ['order'] }
  await owner.ask('PUT', `${flows}/${id}/draft`, {
    channelId: shop.channelId,
    trigger,
    start: 'ask',
    steps,
  })
  expect((await owner.ask('POST', `${flows}/${id}/publish`)).status).toBe(200)
}

/** As a browser whose server is away for a moment; null when it is. */
const askOnce = <Body>(method: string, at: string, json?: unknown) =>
  askApi<Body>(url, method, `/companies/${shop.companyId}${at}`, {
    json,
    headers: { authorization: `Bearer ${owner.token}` },
  }).catch(() => null)

test(
  `killed ${KILLS} times while members reply, flows ask and ${ROWS} rows come in: nothing twice, nothing lost`,
  async () => {
    let aheadMs = 0
    const start = async (byMs: number) => {
      aheadMs += byMs
      await service.start({ CLOCK_AHEAD_MS: String(aheadMs) })
    }
    await start(0)
    const talks = await openTalks()
    const importId = await beginImport()

    let isGoingOn = true
    let replies = 0
    let orders = 0
    let lives = 1
    /** Each key, and the messages that it was answered with. */
    const answered = new Map<string, Set<string>>()
    async function replyOnce() {
      const nth = (replies += 1)
      const ids = new Set<string>()
      answered.set(`reply ${nth}`, ids)
      const said = { key: `reply ${nth}`, text: `reply ${nth}` }
      const isAnswered = async () => {
        const answer = await askOnce<SentReply>(
          'POST',
          `/conversations/${talks[nth % TALKS]}/messages`,
          said,
        )
        if (answer === null || answer.status >= 500) return false
        expect(answer).toMatchObject({ status: expect.toBeOneOf([200, 201]) as number })
        ids.add(answer.body.message.id)
        return true
      }
      await waitUntil(`an answer to reply ${nth}`, isAnswered, PATIENTLY)
    }
    async function orderOnce() {
      if (orders >= lives * ORDERS) return
      orders += 1
      const from = `+9665${String(20_000_000 + orders)}`
      simulator.sendText({ from, phoneNumberId: shop.phoneNumberId, text: 'order' })
    }
    const patience = { withinMs: killsTakeMs(KILLS), everyMs: 50 }
    const working = [
      ...Array.from({ length: MEMBERS }, () =>
        repeatWhile('replies', () => isGoingOn, replyOnce, patience),
      ),
      repeatWhile('orders', () => isGoingOn, orderOnce, patience),
    ]
    try {
      for (let kill = 0; kill < KILLS; kill += 1) {
        const enough = answered.size + REPLIES
        await waitUntil('replies', () => answered.size >= enough, PATIENTLY)
        await road.holdAt(MOMENTS[kill % MOMENTS.length]!)
        await service.kill()
        road.cut()
        lives += 1
        await start(kill % 6 === 5 ? LEASES_MS : PAGE_MS)
      }
    } finally {
      isGoingOn = false
    }
    await Promise.all(working)
    await simulator.idle()

    const { kysely, pool } = world.database.db
    const isOver = async () => {
      const { rows } = await pool.query<{ open: number }>(
        `select (select count(*) from flow_run where ended_at is null)::int
          + (select count(*) from message where status in ('queued', 'sending'))::int
          + (select count(*) from contact_import where state <> 'done')::int as open`,
      )
      return rows[0]!.open === 0
    }
    for (let life = 0; life < ROWS / 500 + 20 && !(await isOver()); life += 1) {
      await waitUntil('nothing is open', isOver, { withinMs: 1_500, everyMs: 50 }).catch(() => {})
      if (await isOver()) break
      await service.kill()
      await start(LEASES_MS)
      await simulator.idle()
    }
    expect(await isOver()).toBe(true)
    // What the provider still has to tell of them has been heard.
    await simulator.idle()

    // Each key is one message, and it is there.
    const stored = await kysely
      .selectFrom('message')
      .select(['id', 'text', 'status', 'conversationId', 'sender', 'runId', 'errorCode'])
      .where('direction', '=', 'out')
      .execute()
    const byText = Map.groupBy(stored, ({ text }) => text)
    for (const [text, ids] of answered) {
      expect(byText.get(text)?.map(({ id }) => id)).toEqual([...ids])
    }
    // Nothing reached a phone twice, neither a message nor what it says.
    const sent = simulator.messages()
    expect(new Set(sent.map(({ ourReference }) => ourReference)).size).toBe(sent.length)
    expect(new Set(sent.map(({ to, text }) => `${to} ${text}`)).size).toBe(sent.length)
    // What reached one is shown so; of all else nobody knows, and it is shown so too.
    const reached = new Set(sent.map(({ ourReference }) => ourReference))
    const lost = stored.filter(({ id }) => !reached.has(id))
    expect(stored.filter(({ id, status }) => reached.has(id) && status !== 'read')).toEqual([])
    expect(lost.filter(({ status }) => status !== 'unknown')).toEqual([])
    expect(lost.length).toBeGreaterThanOrEqual(Math.floor(KILLS / MOMENTS.length))
    expect(await shownAsUnknown(new Set(lost.map(({ conversationId }) => conversationId)))).toEqual(
      new Set(lost.map(({ id }) => id)),
    )
    // Each order is one run; only one whose send nobody knows of has failed.
    const runs = await kysely
      .selectFrom('flowRun')
      .select(['id', 'status', 'variables', 'conversationId'])
      .execute()
    expect(new Set(runs.map(({ conversationId }) => conversationId)).size).toBe(orders)
    expect(runs).toHaveLength(orders)
    for (const { id, status, variables } of runs) {
      const isLost = lost.some(({ runId }) => runId === id)
      expect(status).toBe(isLost ? 'failed' : 'completed')
      if (!isLost) expect(JSON.parse(variables)).toMatchObject({ today: 'yes' })
    }
    expect(await imported(importId)).toEqual({
      contacts: ROWS,
      emails: ROWS,
      events: ROWS,
      told: ROWS,
      created: ROWS,
      done: ROWS,
    })
    console.log(
      `${KILLS} kills: ${replies} replies, ${orders} questions, ${sent.length} sends, ${lost.length} unknown, ${ROWS} rows`,
    )
  },
  (killsTakeMs(KILLS) + ROWS * 10) * PATIENCE,
)

type Road = {
  url: string
  /** Until a send is held there, as it goes out or as its answer comes back. */
  holdAt(moment: (typeof MOMENTS)[number]): Promise<void>
  /** What is held is gone; the road is open again. */
  cut(): void
  close(): Promise<void>
}

/** The way to the provider, on which a test can hold what passes. */
async function openRoad(origin: string): Promise<Road> {
  let closed: (typeof MOMENTS)[number] = 'any'
  const held = new Set<http.ServerResponse>()
  const pass = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const isSend = request.method === 'POST' && request.url!.endsWith('/messages')
    const body = Buffer.concat(await request.toArray())
    if (isSend && closed === 'before') return void held.add(response)
    const { method, url: asked, headers } = request
    const passed = http.request(`${origin}${asked}`, { method: method!, headers })
    passed.end(body)
    const [answer] = (await once(passed, 'response')) as [http.IncomingMessage]
    const told = Buffer.concat(await answer.toArray())
    if (isSend && closed === 'after') return void held.add(response)
    response.writeHead(answer.statusCode!, answer.headers).end(told)
  }
  const server = http.createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async holdAt(moment) {
      closed = moment
      if (moment === 'any') await new Promise((resolve) => setTimeout(resolve, random() * 100))
      else await waitUntil(`a send is held ${moment}`, () => held.size > 0, PATIENTLY)
    },
    cut() {
      closed = 'any'
      for (const response of held) response.destroy()
      held.clear()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Customers write, and their conversations are there. */
async function openTalks(): Promise<string[]> {
  for (let nth = 0; nth < TALKS; nth += 1) {
    const from = `+96651000000${nth}`
    simulator.sendText({ from, phoneNumberId: shop.phoneNumberId, text: 'hello' })
  }
  const { kysely } = world.database.db
  const found = () => kysely.selectFrom('conversation').select('id').execute()
  await waitUntil('the talks', async () => (await found()).length === TALKS, PATIENTLY)
  return (await found()).map(({ id }) => id)
}

/** A file is checked, and begins to come in. */
async function beginImport(): Promise<string> {
  const rows = Array.from({ length: ROWS }, (_, nth) => `n${nth},n${nth}@x.example`)
  const { body } = await uploadContacts({ url }, owner, shop, `name,email\n${rows.join('\n')}`)
  const at = `/contact-imports/${body.id}`
  const state = async () => (await askOnce<ContactImportView>('GET', at))?.body.state
  await askOnce('POST', `${at}/check`, { columns: { name: 'name', email: 'email' } })
  await waitUntil('the file is checked', async () => (await state()) === 'checked', PATIENTLY)
  expect((await askOnce('POST', `${at}/start`))?.status).toBe(202)
  return body.id
}

async function imported(importId: string) {
  const { rows } = await world.database.db.pool.query<Record<string, number>>(
    `select count(*)::int as contacts, count(distinct lower(email))::int as emails,
      (select count(*)::int from event e join contact c on c.id = e.contact_id
        where e.type = 'contact.created' and c.source = 'import') as events,
      (select count(distinct e.contact_id)::int from event e join contact c on c.id = e.contact_id
        where e.type = 'contact.created' and c.source = 'import') as told,
      (select created from contact_import where id = $1) as created,
      (select rows_found from contact_import where id = $1) as done
    from contact where source = 'import'`,
    [importId],
  )
  return rows[0]
}

/** Messages that the lines of these conversations show as sent without an answer. */
async function shownAsUnknown(conversations: ReadonlySet<string>): Promise<Set<string>> {
  const shown = new Set<string>()
  const showPage = async (id: string, cursor: string | null): Promise<void> => {
    const at = `/conversations/${id}/timeline?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`
    const { items, nextCursor } = (await askOnce<Page<TimelineItem>>('GET', at))!.body
    for (const item of items) {
      if (item.kind === 'message' && item.status === 'unknown') shown.add(item.id)
    }
    if (nextCursor !== null) await showPage(id, nextCursor)
  }
  for (const id of conversations) await showPage(id, null)
  return shown
}
