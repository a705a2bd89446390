/** A flow's calls to the merchant's system: real HTTPS, real PostgreSQL, WhatsApp simulated. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createAddressLimit } from '../../src/http/address-limit.ts'
import { RUN_LIMITS } from '../../src/limits/flows.ts'
import { CALL_LIMITS } from '../../src/limits/calls.ts'
import { holdTimers } from '../support/held-timers.ts'
import { createWorld, type World } from '../support/service.ts'
import { API_TOKEN, callStep, connectApi, json, startShopApi } from '../support/shop-api.ts'
import type { ShopApi } from '../support/shop-api.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { inEnglish } from '../support/in-english.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let api: ShopApi
beforeAll(async () => {
  world = await createWorld({ addressLimit: createAddressLimit(1_000) })
  whatsApp = await simulateWhatsApp(world)
  api = await startShopApi(world)
})
afterAll(async () => {
  await api.close()
  await whatsApp.close()
  await world.close()
})
afterEach(() => {
  api.reply(json(200))
  api.requests.length = 0
})

const tell = (text: string, next: string | null = null) => ({
  kind: 'send_template',
  template: 'order_ready',
  language: 'en',
  header: null,
  body: [
    { name: '1', text },
    { name: '2', text: '{{vars.order}}' },
  ],
  next,
})
const ask = (next: string | null, onTimeout: string | null = null) => ({
  kind: 'wait_for_reply',
  saveAs: 'answer',
  timeoutMinutes: 60,
  next,
  onTimeout,
})

/** A shop whose flow calls its API, connected as told. */
async function openShop(
  steps: (call: (request: object, paths: CallPaths) => object) => Record<string, unknown>,
  connection: { timeoutMs?: number; isOn?: boolean } = {},
): Promise<ConnectedShop> {
  const id = world.service.context.ids.uuid()
  const made = steps((request, paths) => callStep(id, request, paths))
  const shop = await whatsApp.openShop({ steps: made, start: Object.keys(made)[0]! })
  await connectApi(world, { id, companyId: shop.companyId, baseUrl: api.baseUrl, ...connection })
  return shop
}
type CallPaths = { next: string | null; onFailure: string | null; keep?: object[] }

/** Call, then a template that says on which path it is. */
const callThenTell = (request: object = {}, keep: object[] = []) =>
  ((call) => ({
    call: call(request, { next: 'success', onFailure: 'failed', keep }),
    success: tell('success'),
    failed: tell('failed'),
  })) satisfies Parameters<typeof openShop>[0]

const db = () => world.database.db.kysely
const runOf = (id: string) =>
  db().selectFrom('flowRun').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const variablesOf = async (id: string) =>
  JSON.parse((await runOf(id)).variables) as Record<string, string | null>
const stepsOf = (runId: string) =>
  db()
    .selectFrom('flowRunStep')
    .select(['stepId', 'status', 'detail', 'callAttempts'])
    .where('runId', '=', runId)
    .orderBy('number')
    .execute()
/** What was sent to the customer, in words. */
const textsOf = async (runId: string) => {
  const query = db().selectFrom('message').select('text').where('runId', '=', runId)
  return (await query.orderBy('id').execute()).map(({ text }) => text)
}
const PATH_SUCCESS = ['Hello success, your order 1043 is ready.']
const PATH_FAILED = ['Hello failed, your order 1043 is ready.']

const NOT_MADE = {
  requests: 0,
  texts: PATH_FAILED,
  httpStatus: null,
  step: { stepId: 'call', status: 'failed', callAttempts: 0, detail: expect.any(String) },
}
const whatCame = async (runId: string) => ({
  requests: api.requests.length,
  texts: await textsOf(runId),
  httpStatus: (await variablesOf(runId)).http_status,
  step: (await stepsOf(runId))[0],
})

/** Starts a run and lets it come to rest. */
async function run(shop: ConnectedShop): Promise<string> {
  const runId = await shop.order(newPhone())
  await whatsApp.settle()
  return runId
}

describe('A step that calls the merchant’s system', () => {
  test('sends one request through the connection and keeps values of the answer for later steps', async () => {
    const keep = [
      { name: 'status', path: 'order.status' },
      { name: 'item', path: 'order.items[0].name' },
      { name: 'total', path: 'order.total' },
      { name: 'paid', path: 'order.paid' },
      { name: 'o', path: 'order.o' },
      { name: 'absent', path: 'order.nothing' },
    ]
    const order = {
      status: 'shipped',
      items: [{ name: 'x' }],
      total: 12.5,
      paid: true,
      o: { a: 1 },
    }
    api.reply(json(200, { order }))
    const shop = await openShop((call) => ({
      call: call({}, { next: 'success', onFailure: 'failed', keep }),
      success: tell('{{vars.status}} {{vars.http_status}}'),
      failed: tell('failed'),
    }))
    const runId = await run(shop)
    expect(api.requests).toMatchObject([
      {
        method: 'GET',
        url: '/api/orders/1043',
        headers: {
          'user-agent': 'Service-Automations/1.0',
          accept: 'application/json',
          authorization: `Bearer ${API_TOKEN}`,
        },
        body: '',
      },
    ])
    expect(await variablesOf(runId)).toMatchObject({
      http_status: '200',
      status: 'shipped',
      item: 'x',
      total: '12.5',
      paid: 'true',
      o: '{"a":1}',
      absent: null,
    })
    expect(await textsOf(runId)).toEqual(['Hello shipped 200, your order 1043 is ready.'])
  })

  test('sends its body with values escaped, and a flow.completed names what was kept', async () => {
    const body = '{"order":"{{vars.order}}","note":"of {{vars.order}}"}'
    const shop = await openShop(
      callThenTell({ method: 'POST', path: '/notes', body }, [{ name: 'id', path: 'id' }]),
    )
    api.reply(json(201, { id: 7 }))
    const runId = await run(shop)
    expect(api.requests).toMatchObject([
      { method: 'POST', headers: { 'content-type': 'application/json; charset=utf-8' } },
    ])
    expect(JSON.parse(api.requests[0]!.body)).toEqual({ order: '1043', note: 'of 1043' })
    expect(await textsOf(runId)).toEqual(PATH_SUCCESS)
    expect(shop.events('flow.completed')).toMatchObject([
      { data: { run: { variables: { order: '1043', http_status: '201', id: '7' } } } },
    ])
  })

  test.each([
    ['POST', 201, PATH_SUCCESS, 1],
    ['POST', 299, PATH_SUCCESS, 1],
    ['POST', 304, PATH_FAILED, 1],
    ['POST', 404, PATH_FAILED, 1],
    ['POST', 429, PATH_FAILED, 1],
    ['PATCH', 500, PATH_FAILED, 1],
    ['DELETE', 500, PATH_FAILED, 1],
    ['GET', 404, PATH_FAILED, 1],
    ['GET', 302, PATH_FAILED, 1],
    ['GET', 503, PATH_FAILED, 2],
  ])(
    '%s answered %i: the path, the status and the requests',
    async (method, status, path, sent) => {
      const shop = await openShop(callThenTell({ method }))
      api.reply(json(status))
      const runId = await run(shop)
      expect(await textsOf(runId)).toEqual(path)
      expect((await variablesOf(runId)).http_status).toBe(`${status}`)
      expect(api.requests).toHaveLength(sent)
      expect((await stepsOf(runId))[0]).toMatchObject({ stepId: 'call', callAttempts: sent })
    },
  )

  test('tries a GET once more: a second answer that is good is the Success path', async () => {
    const shop = await openShop(callThenTell({}, [{ name: 'status', path: 'status' }]))
    api.reply((request, response) =>
      api.requests.length === 1
        ? json(502)(request, response)
        : json(200, { status: 'ready' })(request, response),
    )
    const runId = await run(shop)
    expect(api.requests).toHaveLength(2)
    expect(await variablesOf(runId)).toMatchObject({ http_status: '200', status: 'ready' })
  })

  test('takes the Failed path when no answer comes in time, http_status empty and what was kept cleared', async () => {
    const keep = [{ name: 'status', path: 'status' }]
    const shop = await openShop(
      (call) => ({
        first: call({}, { next: 'second', onFailure: null, keep }),
        second: call({ method: 'POST' }, { next: 'success', onFailure: 'failed', keep }),
        success: tell('success'),
        failed: tell('failed'),
      }),
      { timeoutMs: CALL_LIMITS.timeoutMaxMs },
    )
    const timers = holdTimers(CALL_LIMITS.timeoutMaxMs)
    api.reply((request, response) => {
      if (request.method === 'GET') json(200, { status: 'ready' })(request, response)
      else timers.elapse()
    })
    const runId = await run(shop).finally(timers.release)
    expect(await variablesOf(runId)).toMatchObject({ http_status: null, status: null })
    expect(await textsOf(runId)).toEqual(PATH_FAILED)
    expect(await stepsOf(runId)).toMatchObject([
      { stepId: 'first', status: 'done' },
      { stepId: 'second', status: 'failed', callAttempts: 1 },
      { stepId: 'failed', status: 'done' },
    ])
  })

  systemTest('a 2xx answer that is not JSON is the Success path, and nothing is kept', async () => {
    const shop = await openShop(callThenTell({}, [{ name: 'status', path: 'status' }]))
    api.reply((_, response) => response.end('<html>ready</html>'))
    const runId = await run(shop)
    expect(await textsOf(runId)).toEqual(PATH_SUCCESS)
    expect(await variablesOf(runId)).toMatchObject({ http_status: '200', status: null })
    const [step] = await stepsOf(runId)
    expect(`${step!.status}: ${inEnglish(step!.detail)}`).toMatch(/^done: .+not JSON/)
  })

  test('an answer over 256 KB is the Failed path with its status, nothing kept', async () => {
    const shop = await openShop(callThenTell({}, [{ name: 'status', path: 'status' }]))
    api.reply(json(200, { status: 'ready', filling: 'x'.repeat(262_144) }))
    const runId = await run(shop)
    expect(await textsOf(runId)).toEqual(PATH_FAILED)
    expect(await variablesOf(runId)).toMatchObject({ http_status: '200', status: null })
    expect(api.requests).toHaveLength(1)
  })

  test('takes the Failed path unmade when its connection is off', async () => {
    const shop = await openShop(callThenTell(), { isOn: false })
    expect(await whatCame(await run(shop))).toEqual(NOT_MADE)
  })

  test('takes the Failed path unmade when a path value is empty', async () => {
    const shop = await openShop(callThenTell({ path: '/orders/{{vars.unknown}}' }))
    expect(await whatCame(await run(shop))).toEqual(NOT_MADE)
  })

  test('takes the Failed path unmade when the account has left Business', async () => {
    const shop = await openShop(callThenTell())
    const runId = await shop.order(newPhone())
    await db()
      .updateTable('account')
      .set({ plan: 'pro', templatesPerDay: 10 })
      .where('id', '=', shop.accountId)
      .execute()
    await whatsApp.settle()
    expect(await whatCame(runId)).toEqual(NOT_MADE)
  })

  test('takes the Failed path unmade when the day’s calls of the account are used up', async () => {
    const shop = await openShop(callThenTell())
    const day = world.clock.now().toISOString().slice(0, 10)
    await world.database.db.pool.query('insert into call_day values ($1, $2, 10000)', [
      shop.accountId,
      day,
    ])
    expect(await whatCame(await run(shop))).toEqual(NOT_MADE)
  })
})

describe('Between two messages of the customer', () => {
  const row = ((call) => ({
    a: call({}, { next: 'b', onFailure: 'b' }),
    b: call({}, { next: 'c', onFailure: 'c' }),
    c: call({}, { next: 'tell', onFailure: 'tell' }),
    tell: tell('hi', 'ask'),
    ask: ask('d', 'd'),
    d: call({}, { next: 'yes', onFailure: 'no' }),
    yes: { kind: 'end' },
    no: { kind: 'end' },
  })) satisfies Parameters<typeof openShop>[0]

  systemTest('three calls are made; a fourth only after the customer has replied', async () => {
    const shop = await openShop(row)
    const phone = newPhone()
    const runId = await shop.order(phone)
    await whatsApp.settle()
    expect(api.requests).toHaveLength(3)
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', callsInGo: 3 })
    whatsApp.simulator.tapButton({ from: phone })
    await whatsApp.settle()
    expect(api.requests).toHaveLength(4)
    expect((await stepsOf(runId)).map(({ stepId }) => stepId).at(-1)).toBe('yes')
  })

  systemTest('the customer’s silence begins no new go: the fourth is not made', async () => {
    const shop = await openShop(row)
    const runId = await run(shop)
    world.clock.advance(61 * 60_000)
    await whatsApp.settle()
    expect(api.requests).toHaveLength(3)
    expect((await stepsOf(runId)).map(({ stepId }) => stepId).at(-1)).toBe('no')
    expect((await variablesOf(runId)).http_status).toBe(null)
  })

  test('the calls take 30 s in all: the last one’s time-out is cut to what is left', async () => {
    const shop = await openShop(callThenTell({ method: 'POST' }), { timeoutMs: 15_000 })
    const leftMs = 12_000
    const timers = holdTimers(leftMs)
    let ended = 0
    api.reply(() => (ended += timers.elapse()))
    const runId = await shop.order(newPhone())
    await db()
      .updateTable('flowRun')
      .set({ callsInGo: 1, callsInGoMs: 30_000 - leftMs })
      .where('id', '=', runId)
      .execute()
    await whatsApp.settle().finally(timers.release)
    expect(api.requests).toHaveLength(1)
    expect(ended).toBe(1)
    expect(await textsOf(runId)).toEqual(PATH_FAILED)
    expect(await runOf(runId)).toMatchObject({ callsInGo: 2 })
  })
})

describe('At the moment of a call', () => {
  test('staff that has taken over cancels the run, and nothing is called', async () => {
    const shop = await openShop((call) => ({
      tell: tell('hi', 'ask'),
      ask: ask('call'),
      call: call({}, { next: null, onFailure: null }),
    }))
    const phone = newPhone()
    const runId = await shop.order(phone)
    await whatsApp.settle()
    whatsApp.simulator.tapButton({ from: phone })
    await whatsApp.simulator.idle()
    const { conversationId } = await runOf(runId)
    await db()
      .updateTable('conversation')
      .set({ handledBy: 'staff' })
      .where('id', '=', conversationId)
      .execute()
    await whatsApp.settle()
    expect(await runOf(runId)).toMatchObject({ status: 'cancelled' })
    expect(api.requests).toEqual([])
  })
})

systemTest('Calls that hang hold up no other run, however many they are', async () => {
  const open = () => openShop(callThenTell({ method: 'POST' }), { timeoutMs: 15_000 })
  const shops = await Promise.all([open(), open(), open(), open(), open()])
  const timers = holdTimers(CALL_LIMITS.timeoutMaxMs)
  const held: (() => void)[] = []
  api.reply((request, response) => held.push(() => json(200)(request, response)))
  const phones = Array.from({ length: RUN_LIMITS.atOnce + 8 }, newPhone)
  const slow = await Promise.all(phones.map((phone, n) => shops[n % 5]!.order(phone)))
  const working = whatsApp.settle()
  await api.hasReceived(RUN_LIMITS.callsAtOncePerCompany)
  const otherRun = await (await whatsApp.openShop()).order(newPhone())
  const workingToo = world.service.processAll()
  await expect.poll(async () => (await runOf(otherRun)).status).toBe('waiting')
  expect((await runOf(slow[0]!)).status).toBe('running')
  api.reply(json(200))
  for (const release of held) release()
  await Promise.all([working, workingToo]).finally(timers.release)
  for (const id of slow) expect((await runOf(id)).status).toBe('completed')
})
