/** Steps that call a merchant's API, and the paths of values that they and others read. Spec: Hooks › Path syntax. */
import { afterAll, describe, expect, test } from 'vitest'
import type { DraftCheck, FlowDetail, TestedCall } from '../../src/contract/dashboard/flow.ts'
import type { ActionView } from '../../src/contract/dashboard/action.ts'
import type { TryResult } from '../../src/contract/dashboard/hook-url.ts'
import { CALL_LIMITS } from '../../src/core/limits/calls.ts'
import { RUN_LIMITS } from '../../src/core/limits/flows.ts'
import { HOOK_LIMITS } from '../../src/core/limits/hooks.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { actionRequest } from '../connections/action-world.ts'
import { refusalsOf } from '../support/dashboard.ts'
import { setPlan } from '../support/records/accounts.ts'
import { callsByDay } from '../support/records/calls.ts'
import { addDrafts } from '../support/records/flows.ts'
import { runsOf } from '../support/records/runs.ts'
import { API_TOKEN, callStep, connectApi, json, startShopApi } from '../support/shop-api.ts'
import { createOwnShop, orderDraft, ORDER_READY_STEPS, ORDER_TRIGGER } from '../support/shop.ts'
import { openOwnedShop } from '../support/owned-shop.ts'

const { world, shop, owner } = await openOwnedShop()
const api = await startShopApi(world)
const connectionId = await connectApi(world, { ...shop, baseUrl: api.baseUrl })
afterAll(() => api.close())

const company = `/companies/${shop.companyId}`
const flow = `${company}/flows/${shop.flowId}`

/** Saves a draft of the shop's flow that calls before it sends. */
function save(request: object = {}, keep: object[] = [], trigger: object = {}) {
  const call = callStep(connectionId, request, { next: 'tell', onFailure: null, keep })
  return owner.ask<FlowDetail>(
    'PUT',
    `${flow}/draft`,
    orderDraft(shop, {
      trigger: { ...ORDER_TRIGGER, ...trigger },
      start: 'call',
      steps: { call, ...ORDER_READY_STEPS },
    }),
  )
}

/** Returns what keeps the flow's draft from being published, as `field: code` of each rule. */
async function unpublished(): Promise<string[]> {
  const { body } = await owner.ask<DraftCheck>('GET', `${flow}/draft/check`)
  expect(body.canBePublished).toBe(false)
  return body.problems.map(({ field, code, params }) => {
    const said = (params as { said?: { code: string } }).said
    return `${field}: ${said?.code ?? code}`
  })
}

describe('A draft with a call', () => {
  const header = (name: string) => ({ name, value: 'text/plain' })

  test('is saved, checked and published', async () => {
    const keep = [{ name: 'status', path: 'order.status' }]
    expect((await save({}, keep)).status).toBe(200)
    const check = await owner.ask<DraftCheck>('GET', `${flow}/draft/check`)
    expect(check.body).toEqual({ canBePublished: true, problems: [] })
    expect((await owner.ask('POST', `${flow}/publish`)).status).toBe(200)
  })

  test.each<[string, object, string]>([
    ['HEAD', { method: 'HEAD' }, 'method: not_a_choice'],
    ['a list for a path', { path: [] }, 'path: wrong_type'],
    ['a 3-part secret', { credential: 'x' }, 'credential: unknown_field'],
  ])('is not saved with %s', async (_, request, refusal) => {
    const answer = await save(request)
    expect([answer.status, refusalsOf(answer)]).toEqual([422, [`steps.call.request.${refusal}`]])
  })

  test.each<[string, object, string]>([
    ['no connection', { connectionId: '' }, 'connectionId: wrong_id'],
    ['no slash', { path: 'orders' }, 'path: no_slash'],
    ['a cookie', { headers: [header('Cookie')] }, 'headers[0].name: not_settable'],
    ['a body on GET', { body: '{}' }, 'body: no_body'],
  ])('is saved, and not published, with %s', async (_, request, refusal) => {
    const answer = await save(request)
    expect(answer.status).toBe(200)
    expect(answer.body.draft!.definition.steps['call']).toMatchObject({ request })
    expect(await unpublished()).toContain(`steps.call.request.${refusal}`)
  })

  test('may have 10 query parameters, headers and kept values, not 11', async () => {
    for (const [count, status] of [
      [10, 200],
      [11, 422],
    ] as const) {
      const list = Array.from({ length: count }, (_, place) => header(`N${place}`))
      const keep = list.map(({ name }) => ({ name, path: name }))
      expect((await save({ query: list })).status).toBe(status)
      expect((await save({ headers: list })).status).toBe(status)
      expect((await save({}, keep)).status).toBe(status)
    }
  })

  test('is refused with a connection of another company', async () => {
    const other = await createOwnShop(world)
    const id = await connectApi(world, { ...other, baseUrl: api.baseUrl })
    const answer = await save({ connectionId: id })
    expect(answer.status).toBe(422)
    expect(refusalsOf(answer)).toEqual(['steps.call.request.connectionId: unknown_connection'])
  })

  test('keeps its connection from being deleted, in upper and lower case of its id', async () => {
    expect((await save({ connectionId: connectionId.toUpperCase() })).status).toBe(200)
    const answer = await owner.ask('DELETE', `${company}/connections/${connectionId}`)
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  test('is one of many flows with its connection: the refusal to delete names 20, and says how many more', async () => {
    const id = await connectApi(world, { ...shop, baseUrl: api.baseUrl })
    await addDrafts(world, shop, { count: 23, definition: { connectionId: id } })
    const { status, body } = await owner.ask<{ detail: string }>(
      'DELETE',
      `${company}/connections/${id}`,
    )
    expect(status).toBe(409)
    expect(body.detail.match(/"One of many"/g)).toHaveLength(20)
    expect(body.detail).toContain('" and 3 more. Remove it')
  })
})

describe('The test of a step’s call', () => {
  const testStep = (vars: object = { order: '77' }, stepId = 'call') =>
    owner.ask<TestedCall>('POST', `${flow}/steps/${stepId}/test`, { vars })

  test('sends the request once with the sample values and shows it without the credential', async () => {
    world.clock.advance(MINUTE_MS)
    await save({ method: 'POST', body: '{"note":"{{vars.order}}"}' }, [
      { name: 'status', path: 'order.status' },
      { name: 'echo', path: 'echo' },
    ])
    api.requests.length = 0
    api.reply(json(200, { order: { status: 'shipped' }, echo: API_TOKEN }))
    const { status, body } = await testStep()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      outcome: 'success',
      isMade: true,
      httpStatus: 200,
      failure: null,
      sent: { method: 'POST', url: `${api.baseUrl}/orders/77`, body: '{"note":"77"}' },
      kept: { status: 'shipped' },
    })
    expect(api.requests).toMatchObject([
      { url: '/api/orders/77', headers: { authorization: `Bearer ${API_TOKEN}` } },
    ])
    expect(JSON.stringify([body, world.logged])).not.toContain(API_TOKEN)
    // The test made no run, and counts as one call of the day.
    expect(await runsOf(world, shop)).toEqual([])
    expect(await callsByDay(world, shop)).toEqual([1])
  })

  test('is not repeated, and an empty path value is reported instead of a call', async () => {
    world.clock.advance(MINUTE_MS)
    await save()
    api.requests.length = 0
    api.reply(json(503))
    expect((await testStep()).body).toMatchObject({ outcome: 'failed', httpStatus: 503 })
    expect(api.requests).toHaveLength(1)
    expect((await testStep({})).body).toMatchObject({
      outcome: 'failed',
      isMade: false,
      failure: 'path_value_refused',
      sent: null,
      kept: {},
    })
    expect(api.requests).toHaveLength(1)
  })

  test('says how long a truncated value was', async () => {
    await save({}, [{ name: 'status', path: 'order.status' }])
    const status = 'ش'.repeat(RUN_LIMITS.variableChars + 1)
    const answer = { order: { status } }
    api.reply(json(200, answer))
    const { body } = await testStep()
    expect([body.answer!.length, body.answerChars]).toEqual([
      CALL_LIMITS.answerShownChars,
      JSON.stringify(answer).length,
    ])
    expect(body.kept.status).toHaveLength(RUN_LIMITS.variableChars)
    expect(body.keptChars).toEqual({ status: status.length })
    api.reply(json(200, { order: { status: 'shipped' } }))
    const short = (await testStep()).body
    expect([short.answerChars, short.keptChars]).toEqual([short.answer!.length, {}])
  })

  test('is available on Business, for steps that call', async () => {
    world.clock.advance(MINUTE_MS)
    for (const stepId of ['tell', 'gone', '__proto__']) {
      expect((await testStep({}, stepId)).status).toBe(404)
    }
    await setPlan(world, shop, 'pro')
    expect(await testStep()).toMatchObject({ status: 403, body: { code: 'not_in_plan' } })
    await setPlan(world, shop, 'business')
  })
})

/** Saves a draft in which each path of a value is this one. Returns the paths of the saved draft, or the refusals. */
async function saveDraft(path: string): Promise<unknown> {
  const kept = [{ name: 'order', path }]
  const paths = { phonePath: path, namePath: path, languagePath: path, keep: kept }
  const answer = await save({}, [{ name: 'status', path }], paths)
  if (answer.status !== 200) return refusalsOf(answer)
  const { trigger, steps } = answer.body.draft!.definition
  if (trigger.kind !== 'webhook' || steps.call?.kind !== 'http_request') return []
  const { phonePath, namePath, languagePath } = trigger
  const both = [...trigger.keep, ...steps.call.keep]
  return [phonePath, namePath, languagePath, ...both.map((one) => one.path)]
}

let serial = 0
/** Saves an AI action in the same way. */
async function saveAction(path: string): Promise<unknown> {
  const answer = await owner.ask<ActionView>('POST', `${company}/actions`, {
    toolName: `order_${++serial}`,
    description: 'Looks an order up.',
    request: actionRequest(connectionId, {
      path: '/orders',
      query: [{ name: 'of', value: '{{identity}}' }],
    }),
    identity: 'phone',
    shown: [{ label: 'Status', path }],
    ownershipPath: path,
  })
  const { body } = answer
  return answer.status === 201 ? [body.shown[0]?.path, body.ownershipPath] : refusalsOf(answer)
}

describe('A path of a value, wherever it is typed,', () => {
  test('is saved without the spaces around it', async () => {
    const typed = '  $.customer.phone\u00a0\t'
    expect(await saveDraft(typed)).toEqual(Array(5).fill('$.customer.phone'))
    expect(await saveAction(typed)).toEqual(Array(2).fill('$.customer.phone'))
  })

  test('has at most as many characters as the limit says, in every script', async () => {
    const max = HOOK_LIMITS.pathChars
    for (const character of ['k', 'م', '😀']) {
      const whole = character.repeat(max)
      expect(await saveDraft(` ${whole} `)).toEqual(Array(5).fill(whole))
      expect(await saveAction(` ${whole} `)).toEqual(Array(2).fill(whole))
    }
  })

  test.each([
    ['a path with a space before a name', ' a. b ', 'path_space'],
    ['a path of 201 characters of two units each', '😀'.repeat(201), 'path_too_long'],
  ])('%s is refused, once for each field, by what publishes', async (_, path, code) => {
    const fields = [
      'trigger.phonePath',
      'trigger.namePath',
      'trigger.languagePath',
      'trigger.keep[0].path',
      'steps.call.keep[0].path',
    ]
    expect(await saveDraft(path)).toEqual(Array(5).fill(path.trim()))
    expect(await unpublished()).toEqual(fields.map((field) => `${field}: ${code}`))
    expect(await saveAction(path)).toEqual([`shown[0].path: ${code}`, `ownershipPath: ${code}`])
  })

  test('made of spaces alone counts as missing', async () => {
    await saveDraft(' ')
    expect(await unpublished()).toContain('trigger.phonePath: too_small')
    expect(await saveAction(' ')).toEqual([
      'shown[0].path: path_empty',
      'ownershipPath: path_empty',
    ])
  })

  test('is tested as it would be saved', async () => {
    const tester = `${company}/testers/path`
    const tried = async (path: string) =>
      (await owner.ask<TryResult>('POST', tester, { json: '{"order":{"id":7}}', path })).body
    expect(await tried(' order.id ')).toEqual({ ok: true, value: '7' })
    expect(await tried('order. id')).toMatchObject({ ok: false, reason: { code: 'path_space' } })
  })
})
