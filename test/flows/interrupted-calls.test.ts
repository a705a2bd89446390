/**
 * A call whose worker dies or is late. The first worker's request stays in flight while its lease expires and
 * another worker takes over the run; then the first comes back.
 */
import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, expect, test } from 'vitest'
import { RUN_LIMITS } from '../../src/core/limits/flows.ts'
import { holdTimers } from '../support/held-timers.ts'
import { optOut } from '../support/records/contacts.ts'
import { callsOf } from '../support/records/calls.ts'
import { addRunStep, putRun } from '../support/records/runs.ts'
import { json, type ApiRequest } from '../support/shop-api.ts'
import { newPhone, type ConnectedShop } from '../support/simulator.ts'
import { callThenTell, openCalls, orderTexts } from './calling-shops.ts'
import { inEnglish } from '../support/in-english.ts'
import { systemTest } from '../support/system-tests.ts'

const CALL_MS = 15_000

// The time limit does not end a held call, however slow the machine is.
const timers = holdTimers(CALL_MS)
const { world, whatsApp, api, openShop: open, runOf, stepsOf, textsOf } = await openCalls()
afterAll(() => timers.release())

/** Requests that have no answer yet. */
let held: { request: ApiRequest; response: ServerResponse }[] = []
afterEach(() => {
  held = []
})

const READY = { status: 'ready' }

/** Holds the requests at these positions in their order of arrival; the others are answered. */
function hold(...places: number[]) {
  api.reply((request, response) => {
    if (places.includes(api.requests.length)) held.push({ request, response })
    else json(200, READY)(request, response)
  })
}

/** Opens a shop whose flow calls, then sends a template that says which exit the call took. */
const openShop = (request: object = {}) =>
  open(
    callThenTell(request, [{ name: 'status', path: 'status' }], {
      success: 'success {{vars.status}}',
      failed: 'failed {{vars.http_status}}.',
    }),
    { timeoutMs: CALL_MS },
  )

const SUCCESS = orderTexts('success ready')
const FAILED = orderTexts('failed .')

const callOf = async (runId: string) => (await stepsOf(runId))[0]!

/** Starts a run whose worker is stuck in its call; `comesBack` answers the held requests and lets it continue. */
async function stuckRun(shop: ConnectedShop, requests = 1) {
  const runId = await shop.order(newPhone())
  const working = [world.service.processAll()]
  await api.hasReceived(requests)
  /** Expires the lease of the stuck worker, so that another takes over the run. */
  const loseLease = () => {
    world.clock.advance(RUN_LIMITS.leaseMs + 1)
    working.push(world.service.processAll())
  }
  return {
    runId,
    working,
    loseLease,
    /** Lets another worker advance the run to its end. */
    async takeOver() {
      loseLease()
      await expect.poll(async () => (await runOf(runId)).endedAt).not.toBe(null)
    },
    async comesBack(status: number) {
      for (const { request, response } of held) json(status, READY)(request, response)
      await Promise.all(working)
      await whatsApp.settle()
    },
  }
}

/** Returns all that is stored of a run. */
const written = async (runId: string) => [
  await runOf(runId),
  await callOf(runId),
  await textsOf(runId),
]

test('An interrupted POST is not sent again: Failed path, interrupted', async () => {
  hold(1)
  const run = await stuckRun(await openShop({ method: 'POST', path: '/notes/{{vars.order}}' }))
  await run.takeOver()
  expect(await textsOf(run.runId)).toEqual(FAILED)
  const call = await callOf(run.runId)
  expect(call).toMatchObject({ status: 'interrupted', callAttempts: 1 })
  expect(inEnglish(call.detail)).toContain('wasn’t made again')
  // A merchant must find the call in the log of their system.
  const { host, pathname } = new URL(`${api.baseUrl}/notes/1043`)
  expect(JSON.parse(call.call!)).toMatchObject({ host, path: pathname, httpStatus: null })
  const before = await written(run.runId)
  await run.comesBack(200)
  // The late answer does not change the run.
  expect(await written(run.runId)).toEqual(before)
  expect(api.requests).toHaveLength(1)
})

systemTest('An interrupted GET is sent once more, and its answer counts', async () => {
  hold(1)
  const run = await stuckRun(await openShop())
  await run.takeOver()
  expect(await textsOf(run.runId)).toEqual(SUCCESS)
  expect(await callOf(run.runId)).toMatchObject({ status: 'done', callAttempts: 2 })
  const before = await written(run.runId)
  // A late worker that would repeat its GET after a 503 finds that it no longer has the run.
  await run.comesBack(503)
  expect(await written(run.runId)).toEqual(before)
  expect(api.requests).toHaveLength(2)
})

systemTest('A late worker does not repeat its GET while another makes the second try', async () => {
  hold(1, 2)
  const shop = await openShop()
  const { runId, working, loseLease } = await stuckRun(shop)
  loseLease()
  await api.hasReceived(2)
  const [late, second] = held
  json(503)(late!.request, late!.response)
  // The late worker asks whether it may repeat once its answer is in the log of calls.
  await expect.poll(async () => (await callsOf(world, shop)).length).toBe(1)
  json(200, READY)(second!.request, second!.response)
  await Promise.all(working)
  expect(api.requests).toHaveLength(2)
  expect(await textsOf(runId)).toEqual(SUCCESS)
})

systemTest('A GET that was interrupted in its second try is not sent a third time', async () => {
  const shop = await openShop()
  api.reply((request, response) => {
    if (api.requests.length === 1) json(503)(request, response)
    else held.push({ request, response })
  })
  const run = await stuckRun(shop, 2)
  await run.takeOver()
  expect(await textsOf(run.runId)).toEqual(FAILED)
  expect(await callOf(run.runId)).toMatchObject({ status: 'interrupted', callAttempts: 2 })
  await run.comesBack(200)
  expect(api.requests).toHaveLength(2)
})

systemTest('A second try that fails as well is not followed by a third', async () => {
  hold(1)
  const run = await stuckRun(await openShop())
  api.reply(json(503))
  await run.takeOver()
  expect(await textsOf(run.runId)).toEqual(orderTexts('failed 503.'))
  await run.comesBack(200)
  expect(api.requests).toHaveLength(2)
})

test('A POST that was never sent is made after all', async () => {
  hold()
  const shop = await openShop({ method: 'POST' })
  const runId = await shop.order(newPhone())
  // A worker that dies between the commit and the request leaves a run like this.
  const step = { stepId: 'call', kind: 'http_request', callAttempts: 0 }
  await addRunStep(world, { runId, companyId: shop.companyId }, step)
  await putRun(world, runId, { status: 'running', stepId: 'call', steps: 1 })
  await whatsApp.settle()
  expect(await textsOf(runId)).toEqual(SUCCESS)
  expect(api.requests).toHaveLength(1)
})

test('An interrupted GET is not sent again for a customer who has opted out meanwhile', async () => {
  hold(1)
  const run = await stuckRun(await openShop())
  await optOut(world, (await runOf(run.runId)).contactId!)
  await run.takeOver()
  expect(await runOf(run.runId)).toMatchObject({ endReason: 'customer_exited' })
  expect(await callOf(run.runId)).toMatchObject({ status: 'interrupted', callAttempts: 1 })
  await run.comesBack(200)
  expect(api.requests).toHaveLength(1)
  expect(await textsOf(run.runId)).toEqual([])
})

systemTest('The time of an interrupted call counts toward the 30 s', async () => {
  hold(1, 2)
  const runId = await (await openShop()).order(newPhone())
  await putRun(world, runId, { callsSinceReply: 1, callsSinceReplyMs: 12_700 })
  const working = [world.service.processAll()]
  await api.hasReceived(1)
  world.clock.advance(RUN_LIMITS.leaseMs + 1)
  working.push(world.service.processAll())
  // After 12.7 s, and 15 s for the lost attempt, the second has 2.3 s, which is enough on a busy machine too.
  await expect.poll(async () => (await runOf(runId)).endedAt).not.toBe(null)
  expect(api.requests).toHaveLength(2)
  expect(await textsOf(runId)).toEqual(FAILED)
  for (const { request, response } of held) json(200)(request, response)
  await Promise.all(working)
})

test('A customer who opts out during a call is sent nothing afterwards', async () => {
  const runId = await (await openShop()).order(newPhone())
  const { contactId } = await runOf(runId)
  api.reply((request, response) => {
    void optOut(world, contactId!).then(() => json(200)(request, response))
  })
  await whatsApp.settle()
  expect(await runOf(runId)).toMatchObject({ status: 'completed', endReason: 'customer_exited' })
  expect(await textsOf(runId)).toEqual([])
})
