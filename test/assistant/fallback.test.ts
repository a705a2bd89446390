/** Failing models of an account, through a conversation, and the cost of an outage. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { TrialView } from '../../src/contract/dashboard/assistant-trial.ts'
import { MODEL_LIMITS } from '../../src/core/limits/models.ts'
import { REPLY_WORK } from '../../src/core/limits/replies.ts'
import { DAY_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { addModel } from '../models/models-world.ts'
import { assistantWords } from '../../src/i18n/assistant-words.ts'
import { openAssisted, type AssistedShop, type Customer } from '../support/assistant.ts'
import { signedIn } from '../support/dashboard.ts'
import { holdTimers } from '../support/held-timers.ts'
import { startModelServer, type AskedOfModel } from '../support/model-server.ts'
import { call, hang, refuse, say } from '../support/model-turns.ts'
import { setTimeZone } from '../support/records/accounts.ts'
import { startShopApi } from '../support/shop-api.ts'
import { systemDescribe } from '../support/system-tests.ts'
import { connectActions, POST_ORDER } from './tooled-shop.ts'

/** `OUTAGE_CUSTOMERS=1000` asks for as many as a process lets wait for models. */
const CUSTOMERS_IN_AN_OUTAGE = Number(process.env.OUTAGE_CUSTOMERS) || 30
/** Two requests for each reply that one company may let wait, and then one at a time. */
const MAX_IN_AN_OUTAGE = 2 * Math.min(CUSTOMERS_IN_AN_OUTAGE, REPLY_WORK.maxWaitingPerAccount) + 20
const OUTAGE_TAKES_MS = 60_000 + CUSTOMERS_IN_AN_OUTAGE * 400

let shop: AssistedShop

const assisted = await openAssisted({ models: { pause: () => Promise.resolve() } })
const { world } = assisted
const tls = world.receiver.authority
// The account's models, in their order.
const first = await startModelServer({ tls })
const second = await startModelServer({ tls })
const timers = holdTimers(MODEL_LIMITS.requestMs)
for (const model of [first, second]) model.whenHanging = timers.elapse
afterAll(async () => {
  timers.release()
  await first.close()
  await second.close()
})
beforeEach(async () => {
  for (const model of [first, second]) {
    model.asked.length = 0
    model.otherwise = say('Hello.')
  }
  shop = await assisted.openShop()
})

const QUESTION = 'When do you open?'
const ANSWER = 'We open at nine.'

async function setUp(...baseUrls: string[]): Promise<void> {
  for (const [at, baseUrl] of baseUrls.entries()) {
    await addModel(world, { accountId: shop.accountId, position: at + 1, baseUrl })
  }
}

const missing = (detail: string) => [{ reason: 'missing_information', reasonText: null, detail }]

/** Sets up two models, of which the second answers. */
async function setUpBoth(): Promise<void> {
  await setUp(first.baseUrl, second.baseUrl)
  second.otherwise = say(ANSWER)
}

/** The first model takes the whole time of a request, and does not answer. */
function hangFirst(): void {
  first.otherwise = () => {
    world.clock.advance(MODEL_LIMITS.requestMs)
    return hang()
  }
}

test('after a 500 of the first model the second answers, with one reply, and the trace shows both', async () => {
  await setUpBoth()
  first.otherwise = refuse(500)
  const sara = await shop.asked(QUESTION)
  expect(await sara.got()).toEqual([ANSWER])
  const { steps } = await sara.trace()
  const tried = { model: 'model-1', failure: 'server_error' }
  expect(steps).toMatchObject([{ kind: 'model', name: 'model-2', tried: [tried, tried] }])
})

systemDescribe('The first model', () => {
  test('answering 429 to the third request of a reply is replaced by the second, and no tool is repeated', async () => {
    await setUpBoth()
    const api = await startShopApi(world)
    const { add } = await connectActions(world, shop, api)
    await add({ toolName: 'note', needsConfirmation: false, request: POST_ORDER })
    const note = (order: string) => call('action_note', { order })
    first.script(note('1'), note('2'), refuse(429), refuse(429))
    const sara = await shop.asked(QUESTION)
    expect(await sara.got()).toEqual([ANSWER])
    expect(api.requests.map(({ body }) => body)).toEqual(['{"order":"1"}', '{"order":"2"}'])
    const told = second.asked[0]!.body.messages.filter(({ role }) => role === 'tool')
    expect(told).toHaveLength(2)
    await api.close()
  })

  test('hanging for 60 s like the second leads to a handover with one fixed text, and no open socket', async () => {
    await setUp(first.baseUrl, second.baseUrl)
    first.otherwise = hang()
    second.otherwise = hang()
    const sara = await shop.asked(QUESTION)
    await assisted.pass(65 * SECOND_MS)
    expect(await sara.got()).toHaveLength(1)
    expect(await sara.handovers()).toEqual(missing('model_unavailable'))
    await expect.poll(() => first.openSockets() + second.openSockets()).toBe(0)
  })

  test('hanging is replaced by the second within the minute', async () => {
    await setUpBoth()
    hangFirst()
    const sara = await shop.asked(QUESTION)
    expect(await sara.got()).toEqual([ANSWER])
    expect(await sara.handovers()).toEqual([])
    expect(first.asked).toHaveLength(2)
  })
})

test('a first model that hangs in a trial is replaced by the second, and not asked again', async () => {
  await setUpBoth()
  hangFirst()
  const owner = await signedIn(world, shop)
  const path = `/companies/${shop.companyId}/assistant/try`
  const messages = [{ by: 'customer', text: QUESTION }]
  const { body } = await owner.ask<TrialView>('POST', path, { messages })
  expect(body).toMatchObject({ said: [ANSWER], failure: null })
  expect(first.asked).toHaveLength(1)
})

systemDescribe('Many conversations in an outage', () => {
  /** All customers write together, their messages are received, and the model fails for this many seconds. */
  async function outage(seconds: number): Promise<Customer[]> {
    await setUp(first.baseUrl)
    first.otherwise = refuse(500)
    const { phoneNumberId } = shop
    const customers = Array.from({ length: CUSTOMERS_IN_AN_OUTAGE }, () => shop.customer())
    for (const { phone: from } of customers) {
      assisted.whatsApp.simulator.sendText({ from, phoneNumberId, text: QUESTION })
    }
    await assisted.whatsApp.simulator.idle()
    await assisted.pass(3 * SECOND_MS)
    await pass(seconds)
    expect(first.asked.length).toBeLessThan(MAX_IN_AN_OUTAGE)
    return customers
  }

  async function pass(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 15) await assisted.pass(15 * SECOND_MS)
  }

  /** Returns for each customer the texts, the reasons of handovers, and the number of replies. */
  async function outcomesOf(customers: Customer[]) {
    const outcomes = []
    for (const sara of customers) {
      const handovers = (await sara.handovers()).map(({ detail }) => detail)
      outcomes.push({ got: await sara.got(), handovers, replies: (await sara.replies()).length })
    }
    return outcomes
  }

  const answered = { got: [ANSWER], handovers: [], replies: 1 }
  const handedOver = {
    got: [assistantWords.en.handed_over],
    handovers: ['model_unavailable'],
    replies: 1,
  }

  test(
    'send a bounded number of requests by the circuit breaker, and each is handed over once',
    async () => {
      const customers = await outage(75)
      expect(await outcomesOf(customers)).toEqual(customers.map(() => handedOver))
    },
    OUTAGE_TAKES_MS,
  )

  test(
    'are answered or handed over once after 45 s, with one request for each',
    async () => {
      const customers = await outage(45)
      const inVain = first.asked.length
      first.otherwise = say(ANSWER)
      await pass(60)
      const outcomes = await outcomesOf(customers)
      const isAnswered = ({ got }: { got: string[] }) => got.includes(ANSWER)
      expect(outcomes).toEqual(outcomes.map((one) => (isAnswered(one) ? answered : handedOver)))
      // The model gets no repeated request, and none for a customer who was handed over before it
      // was back.
      const times = outcomes.filter(isAnswered).length
      expect(times).toBeGreaterThan(0)
      expect(first.asked.length - inVain).toBe(times)
    },
    OUTAGE_TAKES_MS,
  )
})

systemDescribe('A reply', () => {
  test('is ended if its model uses tools without end, and does not block others', async () => {
    await setUp(first.baseUrl)
    const runsInCircles = ({ wire }: AskedOfModel) => wire.includes('round and round')
    first.otherwise = (asked) =>
      runsInCircles(asked) ? call('set_customer', { language: 'xx' }) : say(ANSWER)
    const all = Array.from({ length: 8 }, () => shop.customer())
    for (const sara of all) await sara.says('round and round')
    await assisted.pass(3 * SECOND_MS)
    expect(await (await shop.asked(QUESTION)).got()).toEqual([ANSWER])
    for (const sara of all) {
      expect(await sara.handovers()).toEqual(missing('out_of_requests'))
      expect(await sara.got()).toHaveLength(1)
    }
  })

  test('is retried three times after an error of the service, then handed over to staff', async () => {
    await setUp(first.baseUrl)
    await setTimeZone(world, shop, 'Nowhere/None')
    const sara = await shop.asked(QUESTION)
    for (const delayMs of REPLY_WORK.retryDelaysMs) {
      expect(await sara.handovers()).toEqual([])
      await assisted.pass(delayMs)
    }
    expect(first.asked).toHaveLength(0)
    expect(await sara.handovers()).toEqual(missing('fault'))
    expect(await sara.got()).toHaveLength(1)
  })

  test('is sent after the clock was set back, once the time has passed again', async () => {
    await setUp(first.baseUrl)
    const sara = shop.customer()
    const { clock } = world
    await sara.says(QUESTION)
    clock.moveTo(new Date(clock.now().getTime() - 60 * SECOND_MS).toISOString())
    await assisted.pass(SECOND_MS)
    expect(await sara.got()).toEqual([])
    await assisted.pass(63 * SECOND_MS)
    expect(await sara.got()).toEqual(['Hello.'])
    await assisted.pass(DAY_MS)
    expect(await sara.replies()).toHaveLength(1)
  })
})
