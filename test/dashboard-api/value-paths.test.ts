/** Paths of values, wherever they are typed. Spec: Hooks › Path syntax. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ActionView } from '../../src/contract/dashboard/action.ts'
import type { FlowDetail } from '../../src/contract/dashboard/flow.ts'
import type { Tried } from '../../src/contract/dashboard/hook-url.ts'
import { HOOK_LIMITS } from '../../src/limits/hooks.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { callStep, connectApi } from '../support/shop-api.ts'
import { createShop, ORDER_READY_STEPS, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
let owner: Member
let connectionId: string
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  connectionId = world.service.context.ids.uuid()
  const baseUrl = 'https://api.example.com'
  await connectApi(world, { id: connectionId, companyId: shop.companyId, baseUrl })
})
afterAll(() => world.close())

const refused = (body: unknown) =>
  (body as { errors: { field: string; code: string }[] }).errors.map(
    ({ field, code }) => `${field} ${code}`,
  )

/** Saves a draft in which each path is this one, and tells those that it then has. */
async function saveDraft(path: string): Promise<unknown[]> {
  const keep = [{ name: 'status', path }]
  const call = callStep(connectionId, {}, { next: 'tell', onFailure: null, keep })
  const { status, body } = await owner.ask<FlowDetail>(
    'PUT',
    `/companies/${shop.companyId}/flows/${shop.flowId}/draft`,
    {
      channelId: shop.channelId,
      trigger: {
        kind: 'webhook',
        phonePath: path,
        namePath: path,
        languagePath: path,
        keep: [{ name: 'order', path }],
      },
      start: 'call',
      steps: { call, ...ORDER_READY_STEPS },
    },
  )
  if (status !== 200) return refused(body)
  const { trigger, steps } = body.draft!.definition
  if (trigger.kind !== 'webhook' || steps.call?.kind !== 'http_request') return []
  const { phonePath, namePath, languagePath } = trigger
  const kept = [...trigger.keep, ...steps.call.keep]
  return [phonePath, namePath, languagePath, ...kept.map((one) => one.path)]
}

let serial = 0
/** The same with an AI action. */
async function saveAction(path: string): Promise<unknown[]> {
  const { status, body } = await owner.ask<ActionView>(
    'POST',
    `/companies/${shop.companyId}/actions`,
    {
      toolName: `order_${++serial}`,
      description: 'Looks an order up.',
      request: {
        connectionId,
        method: 'GET',
        path: '/orders',
        query: [{ name: 'of', value: '{{identity}}' }],
        headers: [],
        body: null,
      },
      identity: 'phone',
      shown: [{ label: 'Status', path }],
      ownershipPath: path,
    },
  )
  return status === 201 ? [body.shown[0]?.path, body.ownershipPath] : refused(body)
}

describe('A path', () => {
  test('is saved without the spaces around it', async () => {
    const typed = '  $.customer.phone\u00a0\t'
    expect(await saveDraft(typed)).toEqual(Array(5).fill('$.customer.phone'))
    expect(await saveAction(typed)).toEqual(Array(2).fill('$.customer.phone'))
  })

  test('has as many characters as the limit says, whatever they are made of', async () => {
    const most = HOOK_LIMITS.pathChars
    for (const character of ['k', 'م', '😀']) {
      const whole = character.repeat(most)
      expect(await saveDraft(` ${whole} `)).toEqual(Array(5).fill(whole))
      expect(await saveAction(` ${whole} `)).toEqual(Array(2).fill(whole))
    }
  })

  test.each([
    ['with a space inside', 'a b', 'path_space'],
    ['with a space before a name', ' a. b ', 'path_space'],
    ['of 201 characters', 'k'.repeat(201), 'path_too_long'],
    ['of 201 characters of two units each', '😀'.repeat(201), 'path_too_long'],
    ['of thousands', 'k'.repeat(5_000), 'path_too_long'],
  ])('%s is refused, once for each field', async (_, path, code) => {
    const fields = [
      'steps.call.keep[0].path',
      'trigger.phonePath',
      'trigger.namePath',
      'trigger.languagePath',
      'trigger.keep[0].path',
    ]
    expect(await saveDraft(path)).toEqual(fields.map((field) => `${field} ${code}`))
    expect(await saveAction(path)).toEqual([`shown[0].path ${code}`, `ownershipPath ${code}`])
  })

  test('of spaces alone is none', async () => {
    expect(await saveDraft(' ')).toContain('trigger.phonePath path_empty')
    expect(await saveAction(' ')).toEqual(['shown[0].path path_empty', 'ownershipPath path_empty'])
  })

  test('is tried as it would be saved', async () => {
    const tester = `/companies/${shop.companyId}/testers/path`
    const tried = async (path: string) =>
      (await owner.ask<Tried>('POST', tester, { json: '{"order":{"id":7}}', path })).body
    expect(await tried(' order.id ')).toEqual({ ok: true, value: '7' })
    expect(await tried('order. id')).toMatchObject({ ok: false, reason: { code: 'path_space' } })
  })
})
