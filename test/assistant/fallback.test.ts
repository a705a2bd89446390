/** Models of an account that fail, through a conversation, and what an outage may cost. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TrialView } from '../../src/contract/dashboard/assistant-trial.ts'
import { MODEL_LIMITS } from '../../src/limits/models.ts'
import { REPLY_WORK } from '../../src/limits/replies.ts'
import { DAY_MS, SECOND_MS } from '../../src/limits/units.ts'
import { actionRequest, ORDER } from '../connections/action-world.ts'
import { addModel, KEY } from '../models/models-world.ts'
import { holdTimers, type HeldTimers } from '../support/held-timers.ts'
import { startAssisted, type Assisted, type AssistedShop } from '../support/assistant.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { startModelServer, type AskedOfModel, type ModelServer } from '../support/model-server.ts'
import { call, hang, large, refuse, say } from '../support/model-turns.ts'
import { connectApi, startShopApi, type ShopApi } from '../support/shop-api.ts'
import { systemTest } from '../support/system-tests.ts'

/** `OUTAGE_CUSTOMERS=1000` asks for as many as a process lets wait for models. */
const CUSTOMERS_IN_AN_OUTAGE = Number(process.env.OUTAGE_CUSTOMERS) || 30
/** All that one company lets wait at a time, twice each, and one at a time after that. */
const MOST_IN_AN_OUTAGE = 2 * Math.min(CUSTOMERS_IN_AN_OUTAGE, REPLY_WORK.waitingOfCompany) + 20
const OUTAGE_TAKES_MS = 60_000 + CUSTOMERS_IN_AN_OUTAGE * 400

let assisted: Assisted
/** The account's models, in their order. */
let first: ModelServer
let second: ModelServer
let api: ShopApi
let shop: AssistedShop
let owner: Member
let timers: HeldTimers

beforeAll(async () => {
  assisted = await startAssisted(undefined, {
    models: { pause: () => Promise.resolve() },
  })
  const tls = assisted.world.receiver.authority
  first = await startModelServer({ tls })
  second = await startModelServer({ tls })
  api = await startShopApi(assisted.world)
  timers = holdTimers(MODEL_LIMITS.requestMs)
  for (const model of [first, second]) model.whenHanging = timers.elapse
})
afterAll(async () => {
  timers.release()
  await assisted.close()
  await first.close()
  await second.close()
  await api.close()
})
beforeEach(async () => {
  for (const model of [first, second]) {
    model.asked.length = 0
    model.otherwise = say('Hello.')
  }
  shop = await assisted.openShop()
  owner = await signedIn(assisted.world, { accountId: shop.accountId })
})

async function setUp(...baseUrls: string[]): Promise<void> {
  const { accountId } = shop
  for (const [at, baseUrl] of baseUrls.entries()) {
    await addModel(assisted.world, { accountId, position: at + 1, baseUrl })
  }
}

async function ask(sara = shop.customer(), text = 'When do you open?') {
  await sara.says(text)
  await assisted.pass(3 * SECOND_MS)
  return sara
}

type Trace = { steps: { kind: string; name: string; tried: object[] }[] }

async function trace(replyId: string): Promise<Trace> {
  const path = `/companies/${shop.companyId}/assistant/replies/${replyId}`
  return (await owner.ask<Trace>('GET', path)).body
}

test('the first model answers 500, the second works: one reply, and the trace shows both', async () => {
  await setUp(first.baseUrl, second.baseUrl)
  first.otherwise = refuse(500)
  second.otherwise = say('We open at nine.')
  const sara = await ask()
  expect(await sara.got()).toEqual(['We open at nine.'])
  const [reply] = await sara.replies()
  const { steps } = await trace(reply!.id)
  const tried = { model: 'model-1', failure: 'server_error' }
  expect(steps).toMatchObject([{ kind: 'model', name: 'model-2', tried: [tried, tried] }])
})

systemTest(
  '429 on the third request of a reply: the second model goes on, and tools are not repeated',
  async () => {
    await setUp(first.baseUrl, second.baseUrl)
    const { companyId } = shop
    const id = assisted.world.service.context.ids.uuid()
    await connectApi(assisted.world, { id, companyId, baseUrl: api.baseUrl })
    await owner.ask('POST', `/companies/${companyId}/actions`, {
      toolName: 'note',
      description: 'Notes an order.',
      needsConfirmation: false,
      parameters: [ORDER],
      request: actionRequest(id, {
        method: 'POST',
        path: '/note',
        body: '{"order":"{{args.order}}"}',
      }),
    })
    const note = (order: string) => call('action_note', { order })
    first.script(note('1'), note('2'), refuse(429), refuse(429))
    second.script(say('I have looked.'))
    const sara = await ask()
    expect(await sara.got()).toEqual(['I have looked.'])
    expect(api.requests.map(({ body }) => body)).toEqual(['{"order":"1"}', '{"order":"2"}'])
    const told = second.asked[0]!.body.messages.filter(({ role }) => role === 'tool')
    expect(told).toHaveLength(2)
  },
)

systemTest(
  'all hang for 60 s: missing information, one fixed text, no socket left open',
  async () => {
    await setUp(first.baseUrl, second.baseUrl)
    first.otherwise = hang()
    second.otherwise = hang()
    const sara = await ask()
    await assisted.pass(65 * SECOND_MS)
    expect(await sara.got()).toHaveLength(1)
    expect(await sara.handovers()).toEqual([
      { reason: 'missing_information', reasonText: null, detail: 'model_unavailable' },
    ])
    await expect.poll(() => first.openSockets() + second.openSockets()).toBe(0)
  },
)

systemTest('the first model hangs, the second works: it is asked within the minute', async () => {
  await setUp(first.baseUrl, second.baseUrl)
  first.otherwise = () => {
    assisted.world.clock.advance(MODEL_LIMITS.requestMs)
    return hang()
  }
  second.otherwise = say('We open at nine.')
  const sara = await ask()
  expect(await sara.got()).toEqual(['We open at nine.'])
  expect(await sara.handovers()).toEqual([])
  expect(first.asked).toHaveLength(2)
})

test('the first model hangs in a trial: the second is asked, and the first no more', async () => {
  await setUp(first.baseUrl, second.baseUrl)
  first.otherwise = () => {
    assisted.world.clock.advance(MODEL_LIMITS.requestMs)
    return hang()
  }
  second.otherwise = say('We open at nine.')
  const path = `/companies/${shop.companyId}/assistant/try`
  const messages = [{ by: 'customer', text: 'When do you open?' }]
  const { body } = await owner.ask<TrialView>('POST', path, { messages })
  expect(body).toMatchObject({ said: ['We open at nine.'], failure: null })
  expect(first.asked).toHaveLength(1)
})

systemTest(
  '401: the model is marked broken, its Owner is told once, the key is in no log',
  async () => {
    await setUp(first.baseUrl, second.baseUrl)
    first.otherwise = refuse(401)
    expect(await (await ask()).got()).toEqual(['Hello.'])
    await ask()
    expect(first.asked).toHaveLength(1)
    const { kysely } = assisted.world.database.db
    const notices = await kysely
      .selectFrom('notice')
      .select('kind')
      .where('accountId', '=', shop.accountId)
      .execute()
    expect(notices).toEqual([{ kind: 'model_broken' }])
    expect(assisted.world.logged.join('\n')).not.toContain(KEY)
  },
)

test('an address inside of our network is not asked; the next model answers', async () => {
  await setUp('https://10.0.0.5/v1', second.baseUrl)
  expect(await (await ask()).got()).toEqual(['Hello.'])
  expect(second.asked).toHaveLength(1)
})

test('60 MB are no answer: read no further than the limit, and the next model answers', async () => {
  await setUp(first.baseUrl, second.baseUrl)
  first.otherwise = large(60)
  const before = first.bytesWritten()
  expect(await (await ask()).got()).toEqual(['Hello.'])
  // Twice what is read, and what was on its way.
  expect(first.bytesWritten() - before).toBeLessThan(30 * 1_048_576)
})

const ANSWER = 'We open at nine.'

/** All write at once, and their messages are taken in. */
async function allAsk(): Promise<void> {
  const { phoneNumberId } = shop
  for (let nth = 0; nth < CUSTOMERS_IN_AN_OUTAGE; nth += 1) {
    const { phone: from } = shop.customer()
    assisted.whatsApp.simulator.sendText({ from, phoneNumberId, text: 'When do you open?' })
  }
  await assisted.whatsApp.simulator.idle()
  await assisted.pass(3 * SECOND_MS)
}

/** How many customers got how many messages, handovers and replies; and whether what they got was the answer. */
async function outcomes() {
  const { rows } = await assisted.world.database.db.pool.query<{
    customers: number
    sent: number
    handovers: string[]
    replies: number
    isAnswered: boolean
  }>(
    `select count(*)::int as customers, sent, handovers, replies, is_answered as "isAnswered" from (
       select (select count(*)::int from message where conversation_id = conversation.id
           and direction = 'out' and status in ('accepted', 'sent', 'delivered', 'read')) as sent,
         array(select detail from handover where conversation_id = conversation.id) as handovers,
         (select count(*)::int from assistant_reply
           where conversation_id = conversation.id) as replies,
         exists (select from message where conversation_id = conversation.id
           and direction = 'out' and text = $2) as is_answered
       from conversation where company_id = $1) one
     group by sent, handovers, replies, is_answered order by is_answered`,
    [shop.companyId, ANSWER],
  )
  return rows
}

const handedOver = { sent: 1, handovers: ['model_unavailable'], replies: 1, isAnswered: false }

systemTest(
  'many conversations in an outage: the circuit bounds what is asked, each is handed over once',
  async () => {
    await setUp(first.baseUrl)
    first.otherwise = refuse(500)
    await allAsk()
    for (let seconds = 0; seconds < 75; seconds += 15) await assisted.pass(15 * SECOND_MS)
    expect(first.asked.length).toBeLessThan(MOST_IN_AN_OUTAGE)
    expect(await outcomes()).toEqual([{ customers: CUSTOMERS_IN_AN_OUTAGE, ...handedOver }])
  },
  OUTAGE_TAKES_MS,
)

systemTest(
  'a model that is back after 45 s: everybody is answered or handed over, once, and it is asked once for each',
  async () => {
    await setUp(first.baseUrl)
    first.otherwise = refuse(500)
    await allAsk()
    for (let seconds = 0; seconds < 45; seconds += 15) await assisted.pass(15 * SECOND_MS)
    const inVain = first.asked.length
    expect(inVain).toBeLessThan(MOST_IN_AN_OUTAGE)
    first.otherwise = say(ANSWER)
    for (let seconds = 0; seconds < 60; seconds += 15) await assisted.pass(15 * SECOND_MS)
    const all = await outcomes()
    const answered = all.find(({ isAnswered }) => isAnswered)
    expect(answered).toMatchObject({ sent: 1, handovers: [], replies: 1 })
    const others = all.filter(({ isAnswered }) => !isAnswered)
    for (const some of others) expect(some).toMatchObject(handedOver)
    expect(all.reduce((sum, { customers }) => sum + customers, 0)).toBe(CUSTOMERS_IN_AN_OUTAGE)
    // Nobody asks it again and again, nor who was handed over before it was back.
    expect(first.asked.length - inVain).toBe(answered!.customers)
  },
  OUTAGE_TAKES_MS,
)

systemTest(
  'conversations in which a model uses tools for ever end, and keep nobody else from being answered',
  async () => {
    await setUp(first.baseUrl)
    const runsInCircles = ({ wire }: AskedOfModel) => wire.includes('round and round')
    first.otherwise = (asked) =>
      runsInCircles(asked) ? call('set_customer', { language: 'xx' }) : say('We open at nine.')
    const all = Array.from({ length: 8 }, () => shop.customer())
    for (const sara of all) await sara.says('round and round')
    await assisted.pass(3 * SECOND_MS)
    expect(await (await ask()).got()).toEqual(['We open at nine.'])
    for (const sara of all) {
      expect(await sara.handovers()).toMatchObject([
        { reason: 'missing_information', detail: 'out_of_requests' },
      ])
      expect(await sara.got()).toHaveLength(1)
    }
  },
)

systemTest(
  'a reply that fails by an error of the service is tried three more times, then a person answers',
  async () => {
    await setUp(first.baseUrl)
    const { kysely } = assisted.world.database.db
    const company = kysely.updateTable('company').where('id', '=', shop.companyId)
    await company.set({ timeZone: 'Nowhere/None' }).execute()
    const sara = await ask()
    for (const delayMs of REPLY_WORK.faultDelaysMs) {
      expect(await sara.handovers()).toEqual([])
      await assisted.pass(delayMs)
    }
    expect(first.asked).toHaveLength(0)
    expect(await sara.handovers()).toEqual([
      { reason: 'missing_information', reasonText: null, detail: 'fault' },
    ])
    expect(await sara.got()).toHaveLength(1)
  },
)

systemTest(
  'a clock that is set back: what was gathered is answered once it has passed again',
  async () => {
    await setUp(first.baseUrl)
    const sara = shop.customer()
    const { clock } = assisted.world
    await sara.says('When do you open?')
    clock.moveTo(new Date(clock.now().getTime() - 60 * SECOND_MS).toISOString())
    await assisted.pass(SECOND_MS)
    expect(await sara.got()).toEqual([])
    await assisted.pass(63 * SECOND_MS)
    expect(await sara.got()).toEqual(['Hello.'])
    await assisted.pass(DAY_MS)
    expect(await sara.replies()).toHaveLength(1)
  },
)
