/**
 * The service is killed again and again while members reply, a flow asks customers and an import adds contacts.
 * WhatsApp and the members stay up: a request without an answer is repeated with its key. At any moment of a kill,
 * nothing is sent twice, no row is imported twice, nothing that was answered is lost, and a send with an unknown
 * outcome is shown as such.
 *
 * Spec: States › Sent message; Contacts › Import; Flows › Effects.
 */
import http from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { insistentMember, openKillableWorld, openSimulator } from '../support/killable-world.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { conversationsOf } from '../support/records/conversations.ts'
import { eventsOf } from '../support/records/events.ts'
import { messagesOf } from '../support/records/messages.ts'
import { ofEach } from '../support/records/records.ts'
import { runsOf } from '../support/records/runs.ts'
import type { ContactImportView } from '../../src/contract/dashboard/contact-import.ts'
import type { SentReply, TimelineItem } from '../../src/contract/dashboard/conversation.ts'
import type { FlowDetail } from '../../src/contract/dashboard/flow.ts'
import { serveLocally } from '../support/local-server.ts'
import { signedIn, walkPages } from '../support/dashboard.ts'
import { howManyKills, killsTakeMs } from '../support/kills.ts'
import { createShop } from '../support/shop.ts'
import { numberOf } from '../support/simulator.ts'
import { uploadContacts } from '../support/upload-contacts.ts'
import { repeatDuring, waitUntil } from '../support/wait.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'
import { createRandom } from '../support/random.ts'

const random = createRandom('inbox-kill')

const KILLS = howManyKills({ max: 4 })
/** The rows of the import. A page has 500 rows: about one is imported between two kills. `KILL_ROWS` asks for more. */
const ROWS = Number(process.env.KILL_ROWS) || KILLS * 300
/** The number of conversations in which members reply. */
const TALKS = 5
const MEMBERS = 2
/** Replies between two kills, and orders at most: the simulated WhatsApp remembers 5,000 messages. */
const REPLIES = 5
const ORDERS = Math.min(20, Math.floor(1_000 / KILLS))
/** The moments of a kill: any, during a send that the provider has not received, or one that it has not answered. */
const MOMENTS = ['any', 'before', 'after'] as const
/** Longer than every lease: what a killed process held is due at the next start. */
const LEASES_MS = 61_000
/** Longer than the pause of an import between two of its pages. */
const PAGE_MS = 3_000
const PATIENTLY = { withinMs: 60_000, everyMs: 20 }

const { world, serve } = await openKillableWorld()
world.clock.moveTo(new Date().toISOString())
const simulator = await openSimulator({
  autoReply: { afterMs: 0 },
  webhooks: { batch: true, attempts: 1_000 },
})
const { origin: provider } = new URL(simulator.baseUrl)
const road = await openRoad(provider)
afterAll(() => road.close())
const service = await serve({
  SIMULATOR_URL: simulator.baseUrl.replace(provider, road.url),
})
const shop = await createShop(world, { eventTypes: ['ping'] })
const { companyId } = shop
const company = `/companies/${companyId}`
simulator.addNumber(numberOf(shop, service.url, { templates: [] }))
const owner = await signedIn(world, { accountId: shop.accountId })
await publishQuestion()

/** Publishes a flow that asks a customer who writes "order", and thanks for the answer. */
async function publishQuestion() {
  const flows = `${company}/flows`
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
  const design = { channelId: shop.channelId, trigger, start: 'ask', steps }
  await owner.ask('PUT', `${flows}/${id}/draft`, design)
  expect((await owner.ask('POST', `${flows}/${id}/publish`)).status).toBe(200)
}

const member = insistentMember(service, owner)

test(
  `killed ${KILLS} times while members reply, flows ask and ${ROWS} rows come in: nothing twice, nothing lost`,
  async () => {
    await service.startLater()
    const talks = await openTalks()
    const importId = await beginImport()

    let replies = 0
    let orders = 0
    let lives = 1
    /** Each key, and the messages of its answers. */
    const answered = new Map<string, Set<string>>()
    async function replyOnce() {
      const nth = (replies += 1)
      const ids = new Set<string>()
      answered.set(`reply ${nth}`, ids)
      const said = { key: `reply ${nth}`, text: `reply ${nth}` }
      const at = `${company}/conversations/${talks[nth % TALKS]}/messages`
      const { status, body } = await member.ask<SentReply>('POST', at, said)
      expect(status).toBeOneOf([200, 201])
      ids.add(body.message.id)
    }
    async function orderOnce() {
      if (orders >= lives * ORDERS) return
      orders += 1
      const from = `+9665${String(20_000_000 + orders)}`
      simulator.sendText({ from, phoneNumberId: shop.phoneNumberId, text: 'order' })
    }
    const killAndStart = async () => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        const enough = answered.size + REPLIES
        await waitUntil('replies', () => answered.size >= enough, PATIENTLY)
        await road.holdAt(MOMENTS[kill % MOMENTS.length]!)
        await service.kill()
        road.cut()
        lives += 1
        await service.startLater(kill % 6 === 5 ? LEASES_MS : PAGE_MS)
      }
    }
    const patience = { withinMs: killsTakeMs(KILLS), everyMs: 50 }
    const whileOrdering = () => repeatDuring('orders', orderOnce, killAndStart, patience)
    await repeatDuring('replies', replyOnce, whileOrdering, { ...patience, workers: MEMBERS })
    await simulator.idle()

    const isOver = async () => {
      const runs = await runsOf(world, { companyId })
      const messages = await messagesOf(world, { companyId })
      return (
        runs.every(({ endedAt }) => endedAt !== null) &&
        !messages.some(({ status }) => status === 'queued' || status === 'sending') &&
        (await importOf(importId)).state === 'done'
      )
    }
    await service.restartUntil(isOver, {
      lives: ROWS / 500 + 20,
      waitMs: 1_500,
      laterMs: LEASES_MS,
      afterStart: simulator.idle,
    })
    expect(await isOver()).toBe(true)
    // All that the provider still has to report has arrived.
    await simulator.idle()

    // Each key made one message, which is stored.
    const stored = await messagesOf(world, { companyId, direction: 'out' })
    const byText = Map.groupBy(stored, ({ text }) => text)
    for (const [text, ids] of answered) {
      expect(byText.get(text)?.map(({ id }) => id)).toEqual([...ids])
    }
    // No message and no text reached a phone twice.
    const sent = simulator.messages()
    expect(new Set(sent.map(({ ourReference }) => ourReference)).size).toBe(sent.length)
    expect(new Set(sent.map(({ to, text }) => `${to} ${text}`)).size).toBe(sent.length)
    // Messages that reached a phone are shown as such, and all others as unknown.
    const reached = new Set(sent.map(({ ourReference }) => ourReference))
    const lost = stored.filter(({ id }) => !reached.has(id))
    expect(stored.filter(({ id, status }) => reached.has(id) && status !== 'read')).toEqual([])
    expect(lost.filter(({ status }) => status !== 'unknown')).toEqual([])
    expect(lost.length).toBeGreaterThanOrEqual(Math.floor(KILLS / MOMENTS.length))
    expect(await shownAsUnknown(new Set(lost.map(({ conversationId }) => conversationId)))).toEqual(
      new Set(lost.map(({ id }) => id)),
    )
    // Each order is one run; only a run whose send has an unknown outcome has failed.
    const runs = await runsOf(world, { companyId })
    expect(new Set(runs.map(({ conversationId }) => conversationId)).size).toBe(orders)
    expect(runs).toHaveLength(orders)
    for (const { id, status, variables } of runs) {
      const isLost = lost.some(({ runId }) => runId === id)
      expect(status).toBe(isLost ? 'failed' : 'completed')
      if (!isLost) expect(JSON.parse(variables)).toMatchObject({ today: 'yes' })
    }
    await expectImported(importId)
    console.log(
      `${KILLS} kills: ${replies} replies, ${orders} questions, ${sent.length} sends, ${lost.length} unknown, ${ROWS} rows`,
    )
  },
  (killsTakeMs(KILLS) + ROWS * 10) * TIMEOUT_FACTOR,
)

/** Opens a proxy to the provider, on which a test can hold requests and answers. */
async function openRoad(origin: string) {
  let closed: (typeof MOMENTS)[number] = 'any'
  const held = new Set<http.ServerResponse>()
  const { url, close } = await serveLocally((request, response, body) => {
    const isSend = request.method === 'POST' && request.url!.endsWith('/messages')
    if (isSend && closed === 'before') return void held.add(response)
    const { method, headers } = request
    const passed = http.request(`${origin}${request.url}`, { method: method!, headers })
    passed.once('error', () => response.destroy()).end(body)
    passed.once('response', (answer) => {
      if (isSend && closed === 'after') {
        answer.resume()
        held.add(response)
      } else answer.pipe(response.writeHead(answer.statusCode!, answer.headers))
    })
  })
  return {
    url,
    /** Waits until a send is held, as it goes out or as its answer comes back. */
    async holdAt(moment: (typeof MOMENTS)[number]) {
      closed = moment
      if (moment === 'any') await new Promise((resolve) => setTimeout(resolve, random() * 100))
      else await waitUntil(`a send is held ${moment}`, () => held.size > 0, PATIENTLY)
    },
    /** Drops the held requests, and lets new ones pass. */
    cut() {
      closed = 'any'
      for (const response of held) response.destroy()
      held.clear()
    },
    close,
  }
}

/** Lets customers write, and waits for their conversations. */
async function openTalks(): Promise<string[]> {
  for (let nth = 0; nth < TALKS; nth += 1) {
    const from = `+96651000000${nth}`
    simulator.sendText({ from, phoneNumberId: shop.phoneNumberId, text: 'hello' })
  }
  const found = () => conversationsOf(world, { companyId })
  await waitUntil('the talks', async () => (await found()).length === TALKS, PATIENTLY)
  return (await found()).map(({ id }) => id)
}

const importOf = async (id: string) =>
  (await member.ask<ContactImportView>('GET', `${company}/contact-imports/${id}`)).body

/** Uploads a file, waits until it is checked, and starts its import. Returns its id. */
async function beginImport(): Promise<string> {
  const rows = Array.from({ length: ROWS }, (_, nth) => `n${nth},n${nth}@x.example`)
  const { body } = await uploadContacts(service, owner, shop, `name,email\n${rows.join('\n')}`)
  const at = `${company}/contact-imports/${body.id}`
  await member.ask('POST', `${at}/check`, { columns: { name: 'name', email: 'email' } })
  const isChecked = async () => (await importOf(body.id)).state === 'checked'
  await waitUntil('the file is checked', isChecked, PATIENTLY)
  expect((await member.ask('POST', `${at}/start`)).status).toBe(202)
  return body.id
}

/** Expects that each row of the file is one contact with one event. */
async function expectImported(importId: string): Promise<void> {
  expect(await importOf(importId)).toMatchObject({ created: ROWS, rows: ROWS })
  const made = (await contactsOf(world, { companyId })).filter(({ source }) => source === 'import')
  expect(made).toHaveLength(ROWS)
  expect(new Set(made.map(({ email }) => email?.toLowerCase())).size).toBe(ROWS)
  const ids = new Set(made.map(({ id }) => id))
  const told = (await eventsOf(world, { companyId }))
    .filter(({ type, contactId }) => type === 'contact.created' && ids.has(contactId!))
    .map(({ contactId }) => contactId)
  expect(told).toHaveLength(ROWS)
  expect(new Set(told).size).toBe(ROWS)
}

/** Returns the messages that these conversations show as sent without an answer. */
async function shownAsUnknown(conversations: ReadonlySet<string>): Promise<Set<string>> {
  const items = await ofEach([...conversations], (id) =>
    walkPages<TimelineItem>(member, `${company}/conversations/${id}/timeline`, { limit: '100' }),
  )
  const isUnknown = (item: TimelineItem) => item.kind === 'message' && item.status === 'unknown'
  return new Set(items.filter(isUnknown).map(({ id }) => id))
}
