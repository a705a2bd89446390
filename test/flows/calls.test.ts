/** A flow's calls to the merchant's system: real HTTPS, real PostgreSQL, WhatsApp simulated. */
import { describe, expect, test } from 'vitest'
import { createAddressLimit } from '../../src/http/ip-rate-limiter.ts'
import { RUN_LIMITS } from '../../src/core/limits/flows.ts'
import { shownRun, type ShownRun } from '../support/shown-run.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { signedIn } from '../support/dashboard.ts'
import { CREDENTIALS, giveRequestBack } from '../support/credential-kinds.ts'
import { callsOf, setAuth } from '../support/records/calls.ts'
import { envelopesOf } from '../support/records/events.ts'
import { shownOf } from '../support/shown-of-secret.ts'
import { CALL_LIMITS } from '../../src/core/limits/calls.ts'
import { holdTimers } from '../support/held-timers.ts'
import { putRun } from '../support/records/runs.ts'
import { API_TOKEN, json } from '../support/shop-api.ts'
import { newPhone } from '../support/simulator.ts'
import { callThenTell, openCalls, orderTexts, type CallingShop } from './calling-shops.ts'
import { systemTest } from '../support/system-tests.ts'

const calls = await openCalls({ addressLimit: createAddressLimit(1_000) })
const { world, whatsApp, api, openShop, run, runOf, stepsOf, textsOf, variablesOf } = calls

const STATUS = [{ name: 'status', path: 'status' }]
const PATH_SUCCESS = orderTexts('success')
const PATH_FAILED = orderTexts('failed')

describe('A step that calls the merchant’s system', () => {
  test('sends one request, and keeps values of the answer for later steps', async () => {
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
    expect(await textsOf(runId)).toEqual(orderTexts('shipped 200 12.50'))
  })

  systemTest.each([
    ['POST', 299, PATH_SUCCESS, 1],
    ['PATCH', 500, PATH_FAILED, 1],
    ['GET', 503, PATH_FAILED, 2],
  ])(
    '%s answered %i: the exit, the status and the requests',
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

  systemTest('takes the Failed path without a request when its connection is off', async () => {
    const shop = await openShop(callThenTell({}), { isOn: false })
    const runId = await shop.order(newPhone())
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

test('Calls between two customer messages take 30 s in all: the last has only the remaining time', async () => {
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

systemTest('Calls that hang delay no other run, however many there are', async () => {
  const open = () => openShop(callThenTell({ method: 'POST' }), { timeoutMs: 15_000 })
  const shops = await Promise.all([open(), open(), open(), open(), open()])
  const timers = holdTimers(CALL_LIMITS.timeoutMaxMs)
  const held: (() => void)[] = []
  api.reply((request, response) => held.push(() => json(200)(request, response)))
  const phones = Array.from({ length: RUN_LIMITS.maxConcurrent + 8 }, newPhone)
  const slow = await Promise.all(phones.map((phone, n) => shops[n % 5]!.order(phone)))
  const working = whatsApp.settle()
  await api.hasReceived(RUN_LIMITS.maxConcurrentCallsPerAccount)
  const otherRun = await (await whatsApp.openShop()).order(newPhone())
  const workingToo = world.service.processAll()
  await expect.poll(async () => (await runOf(otherRun)).status).toBe('waiting')
  expect((await runOf(slow[0]!)).status).toBe('running')
  api.reply(json(200))
  for (const release of held) release()
  await Promise.all([working, workingToo]).finally(timers.release)
  for (const id of slow) expect((await runOf(id)).status).toBe('completed')
})

/** Returns the run as a member sees it. */
async function runAsShown({ accountId, companyId }: CallingShop, runId: string): Promise<ShownRun> {
  return shownRun(await signedIn(world, { accountId }), { companyId, runId })
}

describe('A run’s history', () => {
  systemTest('shows each call without query, body and credential', async () => {
    const request = {
      method: 'POST',
      path: '/orders/{{vars.order}}/notes',
      query: [{ name: 'secret', value: 'q-{{vars.order}}' }],
      headers: [{ name: 'X-Note', value: 'header-value' }],
      body: '{"note":"body-value"}',
    }
    const shop = await openShop(callThenTell(request, STATUS))
    api.reply(json(200, { status: 'ready', echoed: API_TOKEN }))
    const runId = await run(shop)
    const shown = await runAsShown(shop, runId)
    expect(shown.steps[0]).toMatchObject({
      stepId: 'call',
      kind: 'http_request',
      status: 'done',
      message: null,
      call: {
        method: 'POST',
        host: new URL(api.baseUrl).host,
        path: '/api/orders/1043/notes',
        httpStatus: 200,
        attempts: 1,
        failure: null,
        kept: ['status'],
      },
    })
    const everything = JSON.stringify([shown, await stepsOf(runId), world.logged])
    for (const secret of [API_TOKEN, 'q-1043', 'header-value', 'body-value']) {
      expect(everything).not.toContain(secret)
    }
  })

  test('has no credential that a path repeats', async () => {
    const path = `/${API_TOKEN}/{{vars.order}}`
    const shop = await openShop(callThenTell({ method: 'POST', path }))
    const [step] = await stepsOf(await run(shop))
    const kept = { path: '/api/[removed]/1043', httpStatus: 200 }
    expect(JSON.parse(step!.call!)).toMatchObject(kept)
  })

  test('names the kept values that a successful answer did not have', async () => {
    const shop = await openShop(callThenTell({}, STATUS))
    api.reply(json(200, { state: 'ready' }))
    const { steps } = await runAsShown(shop, await run(shop))
    const detail = fact('call_kept_nothing', { paths: ['status'] })
    expect(steps[0]).toMatchObject({ status: 'done', detail })
  })
})

/** The merchant's server answers with the request that it got. Spec: Calls › Credentials; reading C2. */
test.each(CREDENTIALS)(
  'A credential (%s) in an answer is never stored, shown, sent or logged',
  async (_kind, auth, secrets) => {
    const keep = ['status', 'debug'].map((name) => ({ name, path: name }))
    keep.push({ name: 'request', path: 'request.headers' })
    const shop = await openShop(callThenTell({}, keep, { success: '{{vars.debug}}' }))
    await setAuth(world, shop, auth)
    api.reply(giveRequestBack)
    const runId = await run(shop)
    expect(api.requests).toHaveLength(1)
    const variables = await variablesOf(runId)
    expect(variables).toMatchObject({ status: 'shipped', debug: '[removed]' })
    const seen = [
      variables,
      await runAsShown(shop, runId),
      await stepsOf(runId),
      await envelopesOf(world, { companyId: shop.companyId }),
      await textsOf(runId),
      await callsOf(world, shop),
      world.logged,
    ]
    for (const secret of secrets) {
      for (const one of seen) expect(shownOf(secret, JSON.stringify(one))).toBeNull()
    }
  },
)
