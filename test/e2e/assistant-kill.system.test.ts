/**
 * The service is killed at many moments while the assistant answers, and started again. The model, the
 * shop's API and the provider stay up. One customer's order takes a GET, a POST and an answer in two parts; the next
 * customer is offered a time and books it. No POST is made twice, no customer is booked twice, no message is sent twice.
 * Each customer has an answer or a person, unless it is unknown whether the provider has their message.
 */
import { afterAll, expect, test } from 'vitest'
import { openKillableWorld, openSimulator } from '../support/killable-world.ts'
import { appointmentsOf } from '../support/records/appointments.ts'
import { repliesOf, setAssistant } from '../support/records/assistant.ts'
import { conversationsOf } from '../support/records/conversations.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { handoversOf } from '../support/records/handovers.ts'
import { messagesOf } from '../support/records/messages.ts'
import { ofEach } from '../support/records/records.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { actionRequest, ORDER } from '../connections/action-world.ts'
import { bookableShop } from '../support/bookable.ts'
import { signedIn } from '../support/dashboard.ts'
import { howManyKills, killsTakeMs } from '../support/kills.ts'
import { startModelServer, type AskedOfModel } from '../support/model-server.ts'
import { call, say, type Turn } from '../support/model-turns.ts'
import { connectApi, json, startShopApi } from '../support/shop-api.ts'
import { createShop } from '../support/shop.ts'
import { numberOf } from '../support/simulator.ts'
import { waitUntil } from '../support/wait.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'

const FIRST_ORDER = 1_000
const KILLS = howManyKills({ max: 8 })
/** Longer than every lease. */
const LEASES_MS = 91_000
const CUSTOMERS_PER_KILL = 4
/** Bookable starts in a day: one an hour, from 09:00 on. */
const STARTS_OF_DAY = 8
const LONG = 'It is on its way and you will have it soon. '.repeat(100)

const POST = { method: 'POST', path: '/notes', body: '{"order":"{{args.order}}"}' } as const
const phones: string[] = []
/** Customers who were offered a free time and have accepted it. */
const takers = new Set<string>()
const isBooking = (order: number) => order % 2 === 1

const { world, serve } = await openKillableWorld()
world.clock.moveTo(new Date().toISOString())
const api = await startShopApi(world)
let answers = 0
api.reply((request, response) => {
  setTimeout(() => json(200, { state: 'noted' })(request, response), (++answers * 13) % 60)
})
const model = await startModelServer()
model.otherwise = nextOf
const shop = await createShop(world, { eventTypes: ['ping'] })
const owner = await signedIn(world, { accountId: shop.accountId })
const { companyId } = shop
const connectionId = await connectApi(world, { companyId, baseUrl: api.baseUrl })
for (const [toolName, method] of [
  ['look', 'GET'],
  ['note', 'POST'],
] as const) {
  const made = await owner.ask('POST', `/companies/${companyId}/actions`, {
    toolName,
    description: 'Sees to an order.',
    needsConfirmation: false,
    parameters: [ORDER],
    request: actionRequest(connectionId, method === 'GET' ? {} : POST),
  })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
}
await setAssistant(world, shop, { debounceMs: 0 })
const bookable = await bookableShop(world, companyId)
const person = await bookable.resource()
await bookable.service([{ id: person }], { minutes: 60, stepMin: 60 })
const simulator = await openSimulator({ stepMs: 5 })
const service = await serve({
  SIMULATOR_URL: simulator.baseUrl,
  MODEL_BASE_URL: model.baseUrl,
  MODEL_NAME: 'scripted',
})
simulator.addNumber(numberOf(shop, service.url, { templates: [] }))
afterAll(async () => {
  await model.close()
  await api.close()
})

/**
 * Returns the model's next turn. It looks up, notes and then answers in two parts; or it finds a time, offers and
 * books it, depending on the tool results so far.
 */
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

/** Returns a different time for each customer who books, from the day after tomorrow on. */
function timeOf(order: number): { day: string; time: string } {
  const nth = Math.floor((order - FIRST_ORDER) / 2)
  const at = new Date(world.clock.now().getTime() + (2 + Math.floor(nth / STARTS_OF_DAY)) * DAY_MS)
  return {
    day: at.toISOString().slice(0, 10),
    time: `${String(9 + (nth % STARTS_OF_DAY)).padStart(2, '0')}:00`,
  }
}

/** Lets every customer who was offered a time accept it. */
function takeTimes(): void {
  for (const { to, text } of simulator.messages()) {
    if (!text?.includes(' we have ') || takers.has(to)) continue
    takers.add(to)
    simulator.sendText({ from: `+${to}`, text: TAKES })
  }
}

test(
  `killed at ${KILLS} moments, it makes no POST and sends no message twice, and answers all customers`,
  async () => {
    await service.startLater()
    for (let kill = 0; kill < KILLS; kill += 1) {
      for (let nth = 0; nth < CUSTOMERS_PER_KILL; nth += 1) {
        const order = phones.length
        const number = `+96650${String(2_000_001 + order)}`
        phones.push(number)
        simulator.addPerson({ number, name: 'Sara' })
        simulator.sendText({ from: number, text: `Please see to order ${FIRST_ORDER + order}` })
      }
      // Each kill comes at another moment of the replies: requests to models, calls and sends.
      const effects = () => model.asked.length + api.requests.length + simulator.messages().length
      const before = effects()
      const enough = 1 + ((kill * 7) % (CUSTOMERS_PER_KILL * 7))
      const isSoFar = () => {
        takeTimes()
        return effects() >= before + enough
      }
      await waitUntil('the replies are so far', isSoFar, { withinMs: 30_000, everyMs: 1 })
      await service.kill()
      await service.startLater()
    }
    const left = async () => {
      takeTimes()
      const active = (await repliesOf(world, shop)).filter(({ endedAt }) => endedAt === null)
      const begun = await messagesOf(world, { companyId, direction: 'in' })
      return { active: active.length, coming: phones.length + takers.size - begun.length }
    }
    const isOver = async () => Object.values(await left()).every((count) => count === 0)
    const lives = { lives: 12, waitMs: 10_000, laterMs: LEASES_MS }
    await service.restartUntil(isOver, lives)
    expect(await left()).toEqual({ active: 0, coming: 0 })

    const posts = api.requests.filter(({ method }) => method === 'POST').map(({ body }) => body)
    expect(posts).toEqual([...new Set(posts)])
    const sent = simulator.messages().map(({ to, text }) => `${to} ${text}`)
    expect(sent).toEqual([...new Set(sent)])
    await expectNobodyBookedTwice()
    await expectNobodyLeft()
    expect(takers.size).toBeGreaterThan(0)
  },
  killsTakeMs(KILLS) * TIMEOUT_FACTOR,
)

async function expectNobodyBookedTwice(): Promise<void> {
  const appointments = await appointmentsOf(world, { companyId })
  expect(appointments.length).toBeGreaterThan(0)
  const customers = new Set(appointments.map(({ conversationId }) => conversationId))
  expect(customers.size).toBe(appointments.length)
  const told = await eventTypesOf(world, { companyId }, 'appointment.booked')
  expect(told).toHaveLength(appointments.length)
}

/**
 * Expects that each reply reached its customer completely, or that staff has the conversation, or that the outcome
 * is recorded as unknown.
 */
async function expectNobodyLeft(): Promise<void> {
  const conversations = await conversationsOf(world, { companyId })
  const phoneOf = new Map(conversations.map(({ id, filedUnder }) => [id, filedUnder]))
  const handovers = await ofEach(conversations, ({ id }) => handoversOf(world, id))
  const sent = await messagesOf(world, { companyId, direction: 'out' })
  const replies = await repliesOf(world, shop)
  expect(new Set(replies.map(({ conversationId }) => conversationId)).size).toBe(phones.length)
  for (const { id, conversationId, state, parts } of replies) {
    const phone = phoneOf.get(conversationId)!
    const got = simulator.messages().filter(({ to }) => to === phone)
    const texts = (JSON.parse(parts ?? '{"texts":[]}') as { texts: string[] }).texts
    const isSeenTo = {
      sent: texts.length > 0 && texts.every((text) => got.some((one) => one.text === text)),
      handed_over: handovers.some(({ replyId }) => replyId === id),
      unknown: sent.some(({ replyId, status }) => replyId === id && status !== 'failed'),
    }
    expect([phone, state, isSeenTo[state as keyof typeof isSeenTo]]).toEqual([phone, state, true])
  }
  expect(replies.filter(({ state }) => state === 'sent').length).toBeGreaterThan(0)
}
