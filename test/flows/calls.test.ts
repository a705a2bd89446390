/** A flow's calls to the merchant's system: real HTTPS, real PostgreSQL, WhatsApp simulated. */
import { describe, expect, test } from 'vitest'
import { createAddressLimit } from '../../src/http/ip-rate-limiter.ts'
import { RUN_LIMITS } from '../../src/core/limits/flows.ts'
import { CALL_LIMITS } from '../../src/core/limits/calls.ts'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { holdTimers } from '../support/held-timers.ts'
import { allowTemplates, setPlan } from '../support/records/accounts.ts'
import { setCallsToday } from '../support/records/calls.ts'
import { putConversation } from '../support/records/conversations.ts'
import { putRun } from '../support/records/runs.ts'
import { ORDER_READY_STEPS, templateStep } from '../support/shop.ts'
import { API_TOKEN, json } from '../support/shop-api.ts'
import { newPhone } from '../support/simulator.ts'
import { callThenTell, openCalls, told, type CallingShop } from './calling-shops.ts'
import { inEnglish } from '../support/in-english.ts'
import { systemTest } from '../support/system-tests.ts'

const calls = await openCalls({ addressLimit: createAddressLimit(1_000) })
const { world, whatsApp, api, openShop, run, runOf, stepsOf, textsOf, variablesOf } = calls

const STATUS = [{ name: 'status', path: 'status' }]
const ASK = { ...ORDER_READY_STEPS.ask, timeoutMinutes: 60 }
const PATH_SUCCESS = told('success')
const PATH_FAILED = told('failed')

describe('A step that calls the merchant’s system', () => {
  systemTest(
    'sends one request through the connection and keeps values of the answer for later steps',
    async () => {
      const keep = [
        ...['status', 'total', 'paid', 'o'].map((name) => ({ name, path: `order.${name}` })),
        { name: 'item', path: 'order.items[0].name' },
        { name: 'absent', path: 'order.nothing' },
      ]
      const items = [{ name: 'x' }]
      const order = { status: 'shipped', items, total: 12.5, paid: true, o: { a: 1 } }
      const written = JSON.stringify({ order }).replace('12.5', '12.50').replace('"a":1', '"a":1e3')
      api.reply((_, response) => void response.end(written))
      const success = '{{vars.status}} {{vars.http_status}} {{vars.total}}'
      const shop = await openShop(callThenTell({}, keep, { success }))
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
        total: '12.50',
        paid: 'true',
        o: '{"a":1e3}',
        absent: null,
      })
      expect(await textsOf(runId)).toEqual(told('shipped 200 12.50'))
    },
  )

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

  systemTest.each([
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
    const shop = await openShop(callThenTell({}, STATUS))
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
    const shop = await openShop(
      (call) => ({
        first: call({}, { next: 'call', onFailure: null, keep: STATUS }),
        ...callThenTell({ method: 'POST' }, STATUS)(call),
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
      { stepId: 'call', status: 'failed', callAttempts: 1 },
      { stepId: 'failed', status: 'done' },
    ])
  })

  systemTest('a 2xx answer that is not JSON is the Success path, and nothing is kept', async () => {
    const shop = await openShop(callThenTell({}, STATUS))
    api.reply((_, response) => response.end('<html>ready</html>'))
    const runId = await run(shop)
    expect(await textsOf(runId)).toEqual(PATH_SUCCESS)
    expect(await variablesOf(runId)).toMatchObject({ http_status: '200', status: null })
    const [step] = await stepsOf(runId)
    expect(`${step!.status}: ${inEnglish(step!.detail)}`).toMatch(/^done: .+not JSON/)
  })

  test('an answer over 256 KB is the Failed path with its status, nothing kept', async () => {
    const shop = await openShop(callThenTell({}, STATUS))
    api.reply(json(200, { status: 'ready', filling: 'x'.repeat(262_144) }))
    const runId = await run(shop)
    expect(await textsOf(runId)).toEqual(PATH_FAILED)
    expect(await variablesOf(runId)).toMatchObject({ http_status: '200', status: null })
    expect(api.requests).toHaveLength(1)
  })

  systemTest.each<[string, object, { isOn?: boolean }, (shop: CallingShop) => Promise<unknown>]>([
    ['its connection is off', {}, { isOn: false }, async () => {}],
    ['a path value is empty', { path: '/orders/{{vars.unknown}}' }, {}, async () => {}],
    [
      'the account has left Business',
      {},
      {},
      (shop) => setPlan(world, shop, 'pro').then(() => allowTemplates(world, shop, 10)),
    ],
    [
      'the day’s calls of the account are used up',
      {},
      {},
      (shop) => setCallsToday(world, shop, 10_000),
    ],
  ])('takes the Failed path unmade when %s', async (_, request, connection, since) => {
    const shop = await openShop(callThenTell(request), connection)
    const runId = await shop.order(newPhone())
    await since(shop)
    await whatsApp.settle()
    expect(api.requests).toEqual([])
    expect(await textsOf(runId)).toEqual(PATH_FAILED)
    expect(await variablesOf(runId)).toMatchObject({ http_status: null })
    expect((await stepsOf(runId))[0]).toMatchObject({
      stepId: 'call',
      status: 'failed',
      callAttempts: 0,
      detail: expect.any(String),
    })
  })
})

describe('Between two messages of the customer', () => {
  const row: Parameters<typeof openShop>[0] = (call) => ({
    a: call({}, { next: 'b', onFailure: 'b' }),
    b: call({}, { next: 'c', onFailure: 'c' }),
    c: call({}, { next: 'tell', onFailure: 'tell' }),
    tell: templateStep('hi', 'ask'),
    ask: { ...ASK, next: 'd', onTimeout: 'd' },
    d: call({}, { next: 'yes', onFailure: 'no' }),
    yes: { kind: 'end' },
    no: { kind: 'end' },
  })

  systemTest('three calls are made; a fourth only after the customer has replied', async () => {
    const shop = await openShop(row)
    const phone = newPhone()
    const runId = await shop.order(phone)
    await whatsApp.settle()
    expect(api.requests).toHaveLength(3)
    expect(await runOf(runId)).toMatchObject({ status: 'waiting', callsSinceReply: 3 })
    whatsApp.simulator.tapButton({ from: phone })
    await whatsApp.settle()
    expect(api.requests).toHaveLength(4)
    expect((await stepsOf(runId)).at(-1)).toMatchObject({ stepId: 'yes' })
  })

  systemTest('the customer’s silence begins no new go: the fourth is not made', async () => {
    const shop = await openShop(row)
    const runId = await run(shop)
    world.clock.advance(HOUR_MS)
    await whatsApp.settle()
    expect(api.requests).toHaveLength(3)
    expect((await stepsOf(runId)).at(-1)).toMatchObject({ stepId: 'no' })
    expect((await variablesOf(runId)).http_status).toBe(null)
  })

  test('the calls take 30 s in all: the last one’s time-out is cut to what is left', async () => {
    const shop = await openShop(callThenTell({ method: 'POST' }), { timeoutMs: 15_000 })
    const leftMs = 12_000
    const timers = holdTimers(leftMs)
    let ended = 0
    api.reply(() => (ended += timers.elapse()))
    const runId = await shop.order(newPhone())
    await putRun(world, runId, { callsSinceReply: 1, callsSinceReplyMs: 30_000 - leftMs })
    await whatsApp.settle().finally(timers.release)
    expect(api.requests).toHaveLength(1)
    expect(ended).toBe(1)
    expect(await textsOf(runId)).toEqual(PATH_FAILED)
    expect(await runOf(runId)).toMatchObject({ callsSinceReply: 2 })
  })
})

test('Staff that has taken over by the moment of a call cancels the run, and nothing is called', async () => {
  const shop = await openShop((call) => ({
    tell: templateStep('hi', 'ask'),
    ask: { ...ASK, next: 'call', onTimeout: null },
    call: call({}, { next: null, onFailure: null }),
  }))
  const phone = newPhone()
  const runId = await shop.order(phone)
  await whatsApp.settle()
  whatsApp.simulator.tapButton({ from: phone })
  await whatsApp.simulator.idle()
  await putConversation(world, (await runOf(runId)).conversationId, { handledBy: 'staff' })
  await whatsApp.settle()
  expect(await runOf(runId)).toMatchObject({ status: 'cancelled' })
  expect(api.requests).toEqual([])
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
  await api.hasReceived(RUN_LIMITS.callsAtOncePerAccount)
  const otherRun = await (await whatsApp.openShop()).order(newPhone())
  const workingToo = world.service.processAll()
  await expect.poll(async () => (await runOf(otherRun)).status).toBe('waiting')
  expect((await runOf(slow[0]!)).status).toBe('running')
  api.reply(json(200))
  for (const release of held) release()
  await Promise.all([working, workingToo]).finally(timers.release)
  for (const id of slow) expect((await runOf(id)).status).toBe('completed')
})
