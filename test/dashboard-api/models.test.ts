/** Setting up models: what is saved, what is refused with which field, and that a key is shown to nobody. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type {
  ModelsView,
  ModelUsage,
  ModelView,
  TestedModel,
} from '../../src/contract/dashboard/model.ts'
import type { NoticeView } from '../../src/contract/dashboard/notice.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { SIGN_IN_LIMITS } from '../../src/contract/sign-in-limits.ts'
import { reencryptSecrets } from '../../src/secrets/reencrypt-secrets.ts'
import { MODEL_LIMITS } from '../../src/limits/models.ts'
import { holdTimers } from '../support/held-timers.ts'
import { createHostileResolver } from '../support/hostile-receiver.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import {
  call,
  hang,
  html,
  redirect,
  refuse,
  reset,
  say,
  type Turn,
} from '../support/model-turns.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop } from '../support/shop.ts'
import { askAs } from '../models/models-world.ts'
import { systemTest } from '../support/system-tests.ts'

const KEY = 'sk-live-never-shown-1234'

let world: World
let server: ModelServer
let owner: Member
let admin: Member
let agent: Member
let accountId: string
beforeAll(async () => {
  world = await createWorld({
    resolve: createHostileResolver({ inside: [['10.0.0.5']], mixed: [['8.8.8.8', '10.0.0.5']] }),
    models: { pause: () => Promise.resolve() },
    operatorModel: () => null,
  })
})
afterAll(() => world.close())

let shops = 0
beforeEach(async () => {
  const { key, cert } = world.receiver.authority
  server = await startModelServer({ tls: { key, cert } })
  server.otherwise = call('read_line', { line: 7 })
  const number = String(++shops)
  ;({ accountId } = await createShop(world, { phoneNumberId: number, businessAccountId: number }))
  owner = await signedIn(world, { accountId })
  admin = await signedIn(world, { accountId, role: 'admin' })
  agent = await signedIn(world, { accountId, role: 'agent' })
  return () => server.close()
})

const input = (change: object = {}) => ({
  kind: 'openai_compatible',
  modelName: 'small',
  baseUrl: `${server.baseUrl}/`,
  key: KEY,
  ...change,
})
const create = (change: object = {}, member = owner) =>
  member.ask<ModelView>('POST', '/models', input(change))
const list = async () => (await owner.ask<ModelsView>('GET', '/models')).body
const refusals = ({ body }: { body: unknown }) =>
  (body as { errors: { field: string; code: string }[] | null }).errors?.map(
    ({ field, code }) => `${field}: ${code}`,
  )
const edit = (id: string, change: object) => owner.ask<ModelView>('PATCH', `/models/${id}`, change)

describe('A model is set up', () => {
  test('once it has used the tool of the test question', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      position: 1,
      kind: 'openai_compatible',
      modelName: 'small',
      baseUrl: server.baseUrl,
      host: new URL(server.baseUrl).host,
      hasKey: true,
      lastFour: '1234',
      contextTokens: 128_000,
      transcriptionModel: null,
      readsImages: false,
      isOn: true,
      broken: null,
      revision: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(server.asked).toHaveLength(1)
    expect(JSON.stringify(server.asked[0]!.body.tools)).toContain('read_line')
  })

  test('and asked with the key that was given', async () => {
    await create()
    server.script(say('Hello.'))
    await askAs(world, accountId)
    expect(server.asked[1]!.headers.authorization).toBe(`Bearer ${KEY}`)
  })

  const UNFIT: [string, () => Turn, string][] = [
    ['talks without the tool', () => say('Seven.'), 'modelName: model_without_tools'],
    ['uses another tool', () => call('rm', {}), 'modelName: model_without_tools'],
    ['does not accept the key', () => refuse(401), 'key: model_unauthorized'],
    ['has no such name', () => refuse(404), 'modelName: model_not_found'],
    ['is overrun', () => refuse(429), 'modelName: model_rate_limited'],
    ['fails', () => refuse(500), 'modelName: model_server_error'],
    ['refuses', () => refuse(400), 'modelName: model_bad_request'],
    ['is a website', html, 'baseUrl: model_answer_unreadable'],
    ['redirects', () => redirect('https://example.com'), 'baseUrl: model_redirect_refused'],
    ['hangs up', reset, 'baseUrl: model_unreachable'],
    ['is silent', hang, 'modelName: model_timeout'],
  ]
  test.each(UNFIT)('not where it %s', async (_name, turn, refusal) => {
    server.otherwise = turn()
    const timers = holdTimers(MODEL_LIMITS.requestMs)
    server.whenHanging = timers.elapse
    const answer = await create().finally(timers.release)
    expect(answer.status).toBe(422)
    expect(refusals(answer)).toEqual([refusal])
    expect(JSON.stringify(answer.body)).not.toContain(KEY)
    expect((await list()).items).toEqual([])
  })

  test.each([
    ['http://example.com/v1', 'url_not_https'],
    ['https://inside.merchant.example/v1', 'url_address'],
    ['https://mixed.merchant.example/v1', 'url_address'],
    ['https://10.0.0.5/v1', 'url_address'],
    ['https://localhost/v1', 'url_no_dot'],
    ['https://user:pass@example.com/v1', 'url_userinfo'],
  ])('not at %s', async (baseUrl, code) => {
    expect(refusals(await create({ baseUrl }))).toEqual([`baseUrl: ${code}`])
    expect(server.asked).toEqual([])
  })

  test('with what its kind needs', async () => {
    expect(refusals(await create({ baseUrl: null }))).toEqual(['baseUrl: model_base_url_needed'])
    expect(refusals(await create({ kind: 'openai', key: null }))).toEqual(['key: model_key_needed'])
    expect(refusals(await create({ kind: 'anthropic', key: null }))).toEqual([
      'key: model_key_needed',
    ])
    expect(refusals(await create({ key: 'a key with spaces' }))).toEqual(['key: not_ascii'])
    expect((await create({ key: null })).body).toMatchObject({ hasKey: false, lastFour: null })
    expect((await create({ key: 'short' })).body).toMatchObject({ hasKey: true, lastFour: null })
  })

  systemTest('three at most, also where several are set up at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create()))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 409, 409])
    expect((await list()).items.map(({ position }) => position)).toEqual([1, 2, 3])
    expect((await create()).body).toMatchObject({ code: 'limit_reached' })
  })

  test('by Owners and Admins, with the password entered lately', async () => {
    expect((await create({}, agent)).status).toBe(403)
    expect((await agent.ask('GET', '/models')).status).toBe(403)
    expect((await create({}, admin)).status).toBe(201)
    world.clock.advance(SIGN_IN_LIMITS.passwordFreshMs + 1_000)
    expect((await create()).body).toMatchObject({ code: 'password_needed' })
  })

  systemTest('and tested no more than ten times a minute', async () => {
    const { id } = (await create()).body
    const tests = []
    for (let each = 0; each < 10; each++) tests.push(await owner.ask('POST', `/models/${id}/test`))
    expect(tests.map(({ status }) => status)).toEqual([...Array<number>(9).fill(200), 429])
  })
})

test('The key stands nowhere in the clear, and is encrypted anew with the rest', async () => {
  await create()
  const { rows } = await world.database.db.pool.query<{ credential: string }>('select * from model')
  const audit = await world.database.db.pool.query('select * from audit')
  expect(JSON.stringify([rows, audit.rows]) + world.logged.join('')).not.toContain(KEY)
  const { service } = world
  const done = await reencryptSecrets(service.context, service.keyRing)
  expect(done).toContainEqual({ table: 'model', column: 'credential', changed: 0, unreadable: 0 })
})

describe('A model is changed', () => {
  let model: ModelView
  beforeEach(async () => {
    model = (await create()).body
    server.asked.length = 0
  })

  test('by whoever saw it as it is', async () => {
    const { body } = await edit(model.id, { contextTokens: 8_192, revision: 1 })
    expect(body).toMatchObject({ contextTokens: 8_192, revision: 2, lastFour: '1234' })
    expect(server.asked).toEqual([])
    expect((await edit(model.id, { contextTokens: 4_096, revision: 1 })).body).toMatchObject({
      code: 'stale',
    })
  })

  test('by one of two who have seen it so', async () => {
    const both = await Promise.all(
      [8_192, 4_096].map((contextTokens) => edit(model.id, { contextTokens, revision: 1 })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('and asked the test question where that is how it is reached', async () => {
    server.script(say('No tool.'))
    expect(refusals(await edit(model.id, { modelName: 'large', revision: 1 }))).toEqual([
      'modelName: model_without_tools',
    ])
    expect((await list()).items[0]).toMatchObject({ modelName: 'small', revision: 1 })
    expect((await edit(model.id, { modelName: 'large', revision: 1 })).status).toBe(200)
    expect(server.asked.at(-1)!.body.model).toBe('large')
  })

  test('on another server only with its key', async () => {
    const { key, cert } = world.receiver.authority
    const other = await startModelServer({ tls: { key, cert } })
    other.otherwise = server.otherwise
    const moved = { baseUrl: other.baseUrl, revision: 1 }
    expect(refusals(await edit(model.id, moved))).toEqual(['key: model_key_needed_again'])
    expect(other.asked).toEqual([])
    expect((await edit(model.id, { ...moved, key: 'another-key-9876' })).body).toMatchObject({
      lastFour: '9876',
    })
    expect(other.asked[0]!.wire).not.toContain(KEY)
    await other.close()
  })

  test('whose key cannot be read any more only with a new one, and is asked nothing before', async () => {
    await world.database.db.kysely
      .updateTable('model')
      .set({ credential: 'v1.gone.AAAA.AAAA' })
      .where('id', '=', model.id)
      .execute()
    const renamed = { modelName: 'large', revision: 1 }
    expect(refusals(await edit(model.id, renamed))).toEqual(['key: model_key_lost'])
    const tested = await owner.ask<TestedModel>('POST', `/models/${model.id}/test`)
    expect(tested.body).toMatchObject({ isFit: false, why: { code: 'model_key_lost' } })
    expect(server.asked).toEqual([])
    expect((await edit(model.id, { ...renamed, key: 'new-key-12345678' })).status).toBe(200)
  })

  test('with a key only after the password', async () => {
    world.clock.advance(SIGN_IN_LIMITS.passwordFreshMs + 1_000)
    expect((await edit(model.id, { key: 'new-key-12345678', revision: 1 })).body).toMatchObject({
      code: 'password_needed',
    })
    expect((await edit(model.id, { contextTokens: 5_000, revision: 1 })).status).toBe(200)
  })

  test('and is mended by a change, or by a test that it passes', async () => {
    server.otherwise = refuse(401)
    await askAs(world, accountId)
    expect((await list()).items[0]!.broken).toMatchObject({ code: 'model_unauthorized' })
    const failed = await owner.ask<TestedModel>('POST', `/models/${model.id}/test`)
    expect(failed.body).toMatchObject({ isFit: false, why: { code: 'model_unauthorized' } })
    expect((await list()).items[0]!.broken).not.toBeNull()
    server.otherwise = call('read_line', { line: 7 })
    const passed = await owner.ask<TestedModel>('POST', `/models/${model.id}/test`)
    expect(passed.body).toMatchObject({ isFit: true, why: null })
    expect((await list()).items[0]!.broken).toBeNull()
  })

  test('is switched off and on, and not asked while it is off', async () => {
    server.asked.length = 0
    await owner.ask('POST', `/models/${model.id}/switch-off`)
    expect((await askAs(world, accountId)).answer).toMatchObject({ failure: 'no_model' })
    expect(server.asked).toEqual([])
    await owner.ask('POST', `/models/${model.id}/switch-on`)
    expect((await askAs(world, accountId)).answer).toMatchObject({ ok: true })
  })

  test('is found by its own account alone', async () => {
    const number = String(++shops)
    const other = await createShop(world, { phoneNumberId: number, businessAccountId: number })
    const stranger = await signedIn(world, { accountId: other.accountId })
    const path = `/models/${model.id}`
    const answers = [
      await stranger.ask('PATCH', path, { contextTokens: 5_000, revision: 1 }),
      await stranger.ask('DELETE', path),
      await stranger.ask('POST', `${path}/switch-off`),
      await stranger.ask('POST', `${path}/test`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    const order = await stranger.ask('PUT', '/models/order', { ids: [model.id] })
    expect(order.status).toBe(422)
    expect((await stranger.ask<ModelsView>('GET', '/models')).body.items).toEqual([])
    expect((await list()).items[0]).toMatchObject({ isOn: true, revision: 1 })
  })
})

test('Models are put in order, and those after a deleted one move up', async () => {
  const made = []
  for (const modelName of ['a', 'b', 'c']) made.push((await create({ modelName })).body.id)
  const [a, b, c] = made as [string, string, string]
  const names = ({ items }: ModelsView) => items.map(({ modelName }) => modelName)
  const ordered = await owner.ask<ModelsView>('PUT', '/models/order', { ids: [c, a, b] })
  expect(names(ordered.body)).toEqual(['c', 'a', 'b'])
  for (const ids of [
    [a, b],
    [a, b, b],
    [a, b, '01890000-0000-7000-8000-000000000000'],
  ]) {
    const answer = await owner.ask('PUT', '/models/order', { ids })
    expect(refusals(answer)).toEqual(['ids: models_in_order'])
  }
  expect((await owner.ask('DELETE', `/models/${a}`)).status).toBe(204)
  const { items } = await list()
  expect(items.map(({ modelName, position }) => [modelName, position])).toEqual([
    ['c', 1],
    ['b', 2],
  ])
})

test('The Owner lowers the allowance, to no more than the operator’s; use is told by day and purpose', async () => {
  const set = (tokensPerDay: number | null, member = owner) =>
    member.ask<ModelsView>('PUT', '/models/allowance', { tokensPerDay })
  expect((await set(5_000, admin)).status).toBe(403)
  expect((await set(5_000)).body.allowance).toEqual({
    tokensPerDay: 5_000,
    mostTokensPerDay: 2_000_000,
    usedToday: 0,
  })
  expect(refusals(await set(2_000_001))).toEqual(['tokensPerDay: model_allowance_too_high'])
  await create()
  await askAs(world, accountId)
  const usage = await owner.ask<ModelUsage>('GET', '/models/usage')
  const day = world.clock.now().toISOString().slice(0, 10)
  const one = { day, requests: 1, tokensIn: 100, tokensOut: 20, estimated: 0 }
  expect(usage.body.days).toEqual([
    { ...one, purpose: 'customer' },
    { ...one, purpose: 'playground' },
  ])
  expect((await list()).allowance.usedToday).toBe(240)
  expect((await set(null)).body.allowance.tokensPerDay).toBe(2_000_000)
  await set(100)
  expect((await create()).body).toMatchObject({ code: 'limit_reached' })
})

test('That a model does not let us in is told to Owners and Admins in both languages', async () => {
  await create()
  server.otherwise = refuse(401)
  await askAs(world, accountId)
  const { body } = await owner.ask<Page<NoticeView>>('GET', '/notices')
  expect(body.items.map(({ kind }) => kind)).toEqual(['model_broken'])
  const { words } = body.items[0]!
  expect(words.en.text).toContain('does not accept the key')
  expect(words.ar.text).toContain('لا يقبل خادمه المفتاح')
  expect(JSON.stringify(words)).not.toContain(KEY)
})

test('What members do with models stands in the audit', async () => {
  const { id } = (await create()).body
  await edit(id, { contextTokens: 9_000, revision: 1 })
  await owner.ask('POST', `/models/${id}/test`)
  await owner.ask('POST', `/models/${id}/switch-off`)
  await owner.ask('PUT', '/models/order', { ids: [id] })
  await owner.ask('DELETE', `/models/${id}`)
  const rows = await world.database.db.kysely
    .selectFrom('audit')
    .select('action')
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute()
  expect(rows.map(({ action }) => action)).toEqual([
    'model.created',
    'model.edited',
    'model.tested',
    'model.switched_off',
    'model.ordered',
    'model.deleted',
  ])
})
