import { beforeEach, describe, expect, test } from 'vitest'
import type { ActionView, TestedAction } from '../../src/contract/dashboard/action.ts'
import { ACTION_LIMITS } from '../../src/core/limits/calls.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { COULD_NOT_CHECK, NOTHING_FOUND } from '../../src/rules/calls/action-answer.ts'
import { actionRequest, openActionWorld, ORDER } from '../connections/action-world.ts'
import { refusalsOf, itemsOf, auditOf } from '../support/dashboard.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { setPlan } from '../support/records/accounts.ts'
import { actionsByDay, deleteConnection } from '../support/records/calls.ts'
import { holdLock } from '../support/records/locks.ts'
import { API_TOKEN, connectApi, json } from '../support/shop-api.ts'

const w = await openActionWorld()
beforeEach(async () => {
  await w.clear()
  w.world.clock.advance(MINUTE_MS)
  w.api.reply(json(200, { order: { status: 'shipped', phone: '+966501234567' } }))
})

let serial = 0
const draft = (change: object = {}) => ({
  toolName: `order_${++serial}`,
  description: 'Looks an order up.',
  request: actionRequest(w.connectionId),
  parameters: [ORDER],
  ...change,
})
const create = (change: object = {}) => w.owner.ask<ActionView>('POST', w.actions, draft(change))
const pathOf = ({ id }: { id: string }) => `${w.actions}/${id}`

/** The fields that a refusal names, with the rule that each breaks. */
async function refusalOf(change: object): Promise<string[] | undefined> {
  const answer = await create(change)
  expect(answer).toMatchObject({ status: 422, body: { code: 'invalid' } })
  return refusalsOf(answer)
}

describe('An AI action', () => {
  test('has its confirmation on by default', async () => {
    const made = await create()
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      name: `action_${made.body.toolName}`,
      connection: { id: w.connectionId, name: 'Shop system', isOn: true },
      identity: 'none',
      shown: [],
      ownershipPath: null,
      statement: { en: null, ar: null },
      needsConfirmation: true,
      isOn: true,
    })
    expect((await w.owner.ask('GET', pathOf(made.body))).body).toEqual(made.body)
  })

  test('does what its maker chooses, else what its name and its method suggest', async () => {
    const POST = {
      request: actionRequest(w.connectionId, { method: 'POST', body: '{"n":"{{args.order}}"}' }),
    }
    const doesOf = async (change: object) => (await create(change)).body.does
    expect(await doesOf({ ...POST, toolName: 'cancel_it' })).toEqual(['cancels'])
    expect(await doesOf({ ...POST, toolName: 'cancel_order' })).toEqual(['cancels'])
    expect(await doesOf({ ...POST, toolName: 'place_order' })).toEqual(['opens'])
    expect(await doesOf({ ...POST, toolName: 'do_it' })).toEqual(['other'])
    expect(await doesOf({ toolName: 'cancel_page' })).toEqual([])
    const made = (await create({ ...POST, toolName: 'go', does: ['refunds', 'cancels'] })).body
    expect(made.does).toEqual(['refunds', 'cancels'])
    expect(await refusalOf({ does: ['cancels', 'cancels'] })).toEqual(['does: value_twice'])
    const change = (fields: object) => w.owner.ask<ActionView>('PATCH', pathOf(made), fields)
    expect((await change({ description: 'Other words.' })).body.does).toEqual([
      'refunds',
      'cancels',
    ])
    expect((await change({ does: [] })).body.does).toEqual([])
    expect((await change({ does: null })).body.does).toEqual(['other'])
  })

  test('begins on verified channels only, if it looks something up by a number that anyone could guess', async () => {
    const offeredOn = async (change: object) => (await create(change)).body.offeredOn
    expect(await offeredOn({})).toBe('verified')
    expect(await offeredOn({ offeredOn: 'all' })).toBe('all')
    const colour = { ...ORDER, name: 'colour', description: 'The colour' }
    const request = { ...actionRequest(w.connectionId), path: '/{{args.colour}}' }
    expect(await offeredOn({ parameters: [colour], request })).toBe('all')
    expect(await refusalOf({ offeredOn: 'none' })).toEqual(['offeredOn: not_a_choice'])
  })

  test('has a tool name of small letters, digits and _, which is unique in the company', async () => {
    for (const toolName of ['a', 'a'.repeat(40), 'order_2']) {
      expect([toolName, (await create({ toolName })).status]).toEqual([toolName, 201])
    }
    for (const toolName of ['', '1order', '_order', 'Order', 'a-b', 'a'.repeat(41), 'طلب']) {
      const refusals = (await refusalOf({ toolName }))!
      expect(refusals.filter((one) => !one.startsWith('toolName: '))).toEqual([])
    }
    const conflict = { status: 409, body: { code: 'conflict' } }
    const { body } = await create({ toolName: 'same' })
    expect(await create({ toolName: 'same' })).toMatchObject(conflict)
    const rename = (action: ActionView) =>
      w.owner.ask('PATCH', pathOf(action), { toolName: 'same' })
    expect(await rename((await create()).body)).toMatchObject(conflict)
    expect((await rename(body)).status).toBe(200)
  })

  test('has up to 8 parameters, and its path has only known placeholders', async () => {
    const names = [...'abcdefghi']
    const parameters = names.map((name) => ({ ...ORDER, name }))
    const pathWith = (count: number) => ({
      ...actionRequest(w.connectionId),
      path: names
        .slice(0, count)
        .map((name) => `/{{args.${name}}}`)
        .join(''),
    })
    const eight = { parameters: parameters.slice(0, 8), request: pathWith(8) }
    expect((await create(eight)).status).toBe(201)
    expect(await refusalOf({ parameters, request: pathWith(9) })).toEqual(['parameters: too_big'])
    const path = '/{{args.order}}/{{vars.x}}/{{identity}}'
    expect(await refusalOf({ request: { ...pathWith(1), path } })).toEqual([
      'request.path: unknown_placeholder',
      'request.path: unknown_placeholder',
    ])
  })

  const list = { ...ORDER, type: 'one_of' }
  const { description: _, ...undescribed } = ORDER
  test.each<[string, object, string]>([
    ['a list without values', list, 'values: missing'],
    ['a list of none', { ...list, values: [] }, 'values: too_small'],
    ['a list with a value twice', { ...list, values: ['S', 'S'] }, 'values: value_twice'],
    ['a value of 501', { ...list, values: ['x'.repeat(501)] }, 'values[0]: too_long'],
    ['no description', undescribed, 'description: missing'],
    ['an empty description', { ...ORDER, description: '' }, 'description: too_short'],
    ['a description of spaces', { ...ORDER, description: '  ' }, 'description: too_short'],
    ['a description of a line break', { ...ORDER, description: '\n' }, 'description: too_short'],
  ])('has no parameter with %s', async (_name, parameter, refusal) => {
    expect(await refusalOf({ parameters: [parameter] })).toEqual([`parameters[0].${refusal}`])
  })

  test('has a description of up to 500 characters, paths that can be read and labels that differ', async () => {
    expect((await create({ description: '😀'.repeat(500) })).status).toBe(201)
    expect(await refusalOf({ description: 'x'.repeat(501) })).toEqual(['description: too_long'])
    const shown = [
      { label: 'A', path: 'a..b' },
      { label: 'A', path: '$' },
    ]
    expect(await refusalOf({ shown: [...shown, { label: '', path: 'a' }] })).toEqual([
      'shown[2].label: too_short',
    ])
    expect(await refusalOf({ shown, identity: 'phone', ownershipPath: '' })).toEqual([
      'shown[0].path: path_empty_name',
      'shown[1].path: path_empty',
      'ownershipPath: path_empty',
      'shown[1].label: label_taken',
    ])
  })

  test('goes through a connection of its company', async () => {
    const { shop: other } = await ownedShop(w.world)
    const theirs = await connectApi(w.world, { ...other, baseUrl: w.api.baseUrl })
    for (const connectionId of [theirs, w.deps.ids.uuid()]) {
      const request = actionRequest(connectionId)
      expect(await refusalOf({ request })).toEqual(['request.connectionId: unknown_connection'])
    }
  })

  test('is one of at most 20 per account, also when two are made concurrently', async () => {
    for (let made = 1; made < ACTION_LIMITS.perCompany; made += 1) {
      expect((await create()).status).toBe(201)
    }
    const lock = await holdLock(w.world, 'the companies')
    const asked = [1, 2, 3].map(async () => (await create()).status)
    await lock.blocks('three that are being made', 3)
    await lock.release()
    expect((await Promise.all(asked)).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
    expect((await create()).body).toMatchObject({ code: 'limit_reached' })
    const items = await itemsOf<ActionView>(w.owner, `${w.actions}?limit=100`)
    expect(items).toHaveLength(ACTION_LIMITS.perCompany)
  })

  test('changes only the named fields, and is validated as a whole', async () => {
    const { body } = await create()
    const path = pathOf(body)
    const changed = await w.owner.ask<ActionView>('PATCH', path, { needsConfirmation: false })
    expect(changed.body).toMatchObject({
      ...body,
      needsConfirmation: false,
      updatedAt: expect.any(String),
    })
    const broken = await w.owner.ask('PATCH', path, { parameters: [] })
    expect(refusalsOf(broken)).toEqual(['request.path: unknown_placeholder'])
    const both = await w.owner.ask<ActionView>('PATCH', path, {
      parameters: [],
      request: { ...body.request, path: '/orders' },
    })
    expect(both.body.request.path).toBe('/orders')
  })

  test('is kept, editable, switchable off and deletable after leaving the Business plan', async () => {
    const { body } = await create()
    const path = pathOf(body)
    await setPlan(w.world, w.shop, 'pro')
    try {
      const code = async (method: string, to: string, input?: object) =>
        (await w.owner.ask(method, to, input)).body?.code ?? 'done'
      expect(await code('POST', w.actions, draft())).toBe('not_in_plan')
      expect(await code('PATCH', path, { description: 'Other words' })).toBe('done')
      expect(await code('PATCH', path, { isOn: false })).toBe('done')
      expect(await code('PATCH', path, { isOn: true })).toBe('not_in_plan')
      expect(await code('POST', `${path}/test`, { args: { order: '7' } })).toBe('not_in_plan')
      expect(await code('DELETE', path)).toBe('done')
    } finally {
      await setPlan(w.world, w.shop, 'business')
    }
    expect(w.api.requests).toHaveLength(0)
  })

  test('can be switched off, but not changed or switched on, once its connection is deleted', async () => {
    const id = await connectApi(w.world, { ...w.shop, baseUrl: w.api.baseUrl })
    const { body } = await create({ request: actionRequest(id) })
    const path = pathOf(body)
    await deleteConnection(w.world, { connectionId: id })
    const edit = async (input: object) => (await w.owner.ask('PATCH', path, input)).status
    expect(await edit({ isOn: false, description: 'Other words' })).toBe(422)
    expect(await edit({ isOn: false })).toBe(200)
    expect(await edit({ description: 'Other words' })).toBe(422)
    expect(await edit({ isOn: true })).toBe(422)
    expect(await edit({ isOn: false })).toBe(200)
  })

  test('leaves each change in the audit log', async () => {
    const { body } = await create()
    const path = pathOf(body)
    await w.owner.ask('PATCH', path, { description: 'Other words', isOn: false })
    await w.owner.ask('PATCH', path, { isOn: true })
    await w.owner.ask('PATCH', path, { isOn: true })
    await w.owner.ask('POST', `${path}/test`, { args: { order: '7' } })
    await w.owner.ask('DELETE', path)
    const audit = await auditOf(w.owner, w.shop)
    const ofIt = audit.filter(({ subjectId }) => subjectId === body.id)
    expect(ofIt.map(({ action }) => action).toReversed()).toEqual([
      'ai_action.created',
      'ai_action.edited',
      'ai_action.switched_on',
      'ai_action.tested',
      'ai_action.deleted',
    ])
    expect(ofIt[3]!.detail).toEqual({ toolName: body.toolName, fields: ['isOn', 'description'] })
  })
})

describe('A test of an action', () => {
  const shown = [{ label: 'Status', path: 'order.status' }]
  const runTest = async (action: ActionView, input: object) =>
    (await w.owner.ask<TestedAction>('POST', `${pathOf(action)}/test`, input)).body

  test('runs as in a conversation, without waiting for confirmation, as a real call', async () => {
    const { body } = await create({ shown })
    w.api.reply(json(200, { order: { status: 'shipped' }, echo: API_TOKEN }))
    const tested = await runTest(body, { args: { order: '7' } })
    expect(tested).toMatchObject({
      resultText: 'Status: shipped',
      outcome: 'success',
      failure: null,
      httpStatus: 200,
      attempts: 1,
    })
    expect(tested.answerText).toContain('shipped')
    expect(JSON.stringify(tested)).not.toContain(API_TOKEN)
    expect(w.api.requests.map(({ url }) => url)).toEqual(['/api/orders/7'])
    expect(await actionsByDay(w.world, w.shop)).toEqual([])
  })

  test('returns what the assistant would read: what to correct, nothing found, could not check', async () => {
    const { body } = await create({ identity: 'phone', ownershipPath: 'order.phone', shown })
    const args = { order: '7' }
    const corrected = await runTest(body, { args: {}, identity: '+966501234567' })
    expect(corrected).toMatchObject({ outcome: 'refused', attempts: 0 })
    expect(corrected.resultText).toContain('order is missing')
    const match = await runTest(body, { args, identity: '00966 50 123 4567' })
    expect(match.resultText).toBe('Status: shipped')
    expect((await runTest(body, { args, identity: '+966501234568' })).resultText).toBe(
      NOTHING_FOUND,
    )
    w.api.reply(json(404, {}))
    const failed = await runTest(body, { args, identity: '+966501234567' })
    expect(failed).toMatchObject({
      resultText: COULD_NOT_CHECK,
      outcome: 'failed',
      failure: 'http_error',
    })
  })

  test('is made for a chosen contact of the company', async () => {
    const { body } = await create({ identity: 'phone', ownershipPath: 'order.phone', shown })
    const { contactId } = await w.customer('966501234567')
    const args = { order: '7' }
    expect((await runTest(body, { args, contactId })).resultText).toBe('Status: shipped')
    const said = { args, identity: '0501234567', country: 'SA' }
    expect((await runTest(body, said)).resultText).toBe('Status: shipped')
    for (const [input, field] of [
      [{ args }, 'identity'],
      [{ args, identity: '0501234567' }, 'identity'],
      [{ args, contactId: w.deps.ids.uuid() }, 'contactId'],
    ] as const) {
      const refused = await w.owner.ask('POST', `${pathOf(body)}/test`, input)
      expect(refused.body.errors).toMatchObject([{ field }])
    }
    const { body: byEmail } = await create({ identity: 'email', ownershipPath: 'order.email' })
    const refused = await w.owner.ask('POST', `${pathOf(byEmail)}/test`, { args, contactId })
    expect(refused.body.errors).toMatchObject([{ field: 'contactId', code: 'contact_without' }])
  })

  test('works while the action or its connection is off', async () => {
    const id = await connectApi(w.world, { ...w.shop, baseUrl: w.api.baseUrl, isOn: false })
    const { body } = await create({ request: actionRequest(id), isOn: false })
    expect((await runTest(body, { args: { order: '7' } })).outcome).toBe('success')
  })
})
