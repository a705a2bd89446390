/** Models are set up: a fit one is saved, an unfit one is refused with its field, and a key is never shown. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { AssistantView } from '../../src/contract/dashboard/assistant.ts'
import type {
  ModelsView,
  ModelUsage,
  ModelView,
  TestedModel,
} from '../../src/contract/dashboard/model.ts'
import type { NoticeView } from '../../src/contract/dashboard/notice.ts'
import { reencryptSecrets } from '../../src/infra/secrets/reencrypt-secrets.ts'
import { MODEL_LIMITS } from '../../src/core/limits/models.ts'
import { holdTimers } from '../support/held-timers.ts'
import { createHostileResolver } from '../support/hostile-receiver.ts'
import { refusalsOf, signedIn, type Member, itemsOf } from '../support/dashboard.ts'
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
import type { Shop } from '../support/shop.ts'
import { askAs } from '../models/models-world.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { allowTokens } from '../support/records/accounts.ts'
import { actionsOn } from '../support/records/audit.ts'
import { textOfSecrets } from '../support/records/erasing.ts'
import { putModel } from '../support/records/models.ts'

const KEY = 'sk-live-never-shown-1234'

let server: ModelServer
let shop: Shop
let owner: Member
let admin: Member
let accountId: string
const world = await openWorld({
  resolve: createHostileResolver({ mixed: [['8.8.8.8', '10.0.0.5']] }),
  models: { pause: () => Promise.resolve() },
  operatorModel: () => null,
})

beforeEach(async () => {
  server = await startModelServer({ tls: world.receiver.authority })
  server.otherwise = call('read_line', { line: 7 })
  ;({ shop, owner } = await ownedShop(world))
  ;({ accountId } = shop)
  admin = await signedIn(world, { accountId, role: 'admin' })
  return () => server.close()
})

const create = (change: object = {}, member = owner) =>
  member.ask<ModelView>('POST', '/models', {
    kind: 'openai_compatible',
    modelName: 'small',
    baseUrl: `${server.baseUrl}/`,
    key: KEY,
    ...change,
  })
const list = async () => (await owner.ask<ModelsView>('GET', '/models')).body
const edit = (id: string, change: object) => owner.ask<ModelView>('PATCH', `/models/${id}`, change)
const tested = async (id: string) =>
  (await owner.ask<TestedModel>('POST', `/models/${id}/test`)).body
const NEW_KEY = 'new-key-12345678'
describe('A model is set up', () => {
  test('once it has used the tool of the test question, and is asked with the key that was given', async () => {
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
      thinking: 'off',
      reasonsAnyway: false,
      isOn: true,
      broken: null,
      revision: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(server.asked).toHaveLength(1)
    expect(JSON.stringify(server.asked[0]!.body.tools)).toContain('read_line')
    server.script(say('Hello.'))
    await askAs(world, accountId)
    expect(server.asked[1]!.headers.authorization).toBe(`Bearer ${KEY}`)
  })

  const UNFIT: [string, () => Turn, string][] = [
    ['talks without the tool', () => say('Seven.'), 'modelName: model_without_tools'],
    ['uses another tool', () => call('rm', {}), 'modelName: model_without_tools'],
    ['rejected the API key', () => refuse(401), 'key: model_unauthorized'],
    ['has no such name', () => refuse(404), 'modelName: model_not_found'],
    ['is overrun', () => refuse(429), 'modelName: model_rate_limited'],
    ['fails', () => refuse(500), 'modelName: model_server_error'],
    ['refuses', () => refuse(400), 'modelName: model_bad_request'],
    ['is a website', html, 'baseUrl: model_answer_unreadable'],
    ['redirects', () => redirect('https://example.com'), 'baseUrl: model_redirect_refused'],
    ['hangs up', reset, 'baseUrl: model_unreachable'],
    ['is silent', hang, 'modelName: model_timeout'],
  ]
  systemTest.each(UNFIT)('unless it %s', async (_name, turn, refusal) => {
    server.otherwise = turn()
    const timers = holdTimers(MODEL_LIMITS.requestMs)
    server.whenHanging = timers.elapse
    const answer = await create().finally(timers.release)
    expect(answer.status).toBe(422)
    expect(refusalsOf(answer)).toEqual([refusal])
    expect(JSON.stringify(answer.body)).not.toContain(KEY)
    expect((await list()).items).toEqual([])
  })

  test.each([
    ['http://example.com/v1', 'url_not_https'],
    ['https://mixed.merchant.example/v1', 'url_address'],
  ])('unless it is at %s', async (baseUrl, code) => {
    expect(refusalsOf(await create({ baseUrl }))).toEqual([`baseUrl: ${code}`])
    expect(server.asked).toEqual([])
  })

  test('with the fields that its kind needs', async () => {
    expect(refusalsOf(await create({ baseUrl: null }))).toEqual(['baseUrl: model_base_url_needed'])
    for (const kind of ['openai', 'anthropic']) {
      expect(refusalsOf(await create({ kind, key: null }))).toEqual(['key: model_key_needed'])
    }
    expect(refusalsOf(await create({ key: 'a key with spaces' }))).toEqual(['key: not_ascii'])
    expect((await create({ key: null })).body).toMatchObject({ hasKey: false, lastFour: null })
    expect((await create({ key: 'short' })).body).toMatchObject({ hasKey: true, lastFour: null })
  })

  systemTest('three at most, also if several are set up concurrently', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create()))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 409, 409])
    expect((await list()).items.map(({ position }) => position)).toEqual([1, 2, 3])
    expect((await create()).body).toMatchObject({ code: 'limit_reached' })
  })

  test('by Owners and Admins', async () => {
    const agent = await signedIn(world, { accountId, role: 'agent' })
    expect((await create({}, agent)).status).toBe(403)
    expect((await agent.ask('GET', '/models')).status).toBe(403)
    expect((await create({}, admin)).status).toBe(201)
  })

  systemTest('with at most ten tests a minute', async () => {
    const { id } = (await create()).body
    const tests = []
    for (let each = 0; each < 10; each++) tests.push(await owner.ask('POST', `/models/${id}/test`))
    expect(tests.map(({ status }) => status)).toEqual([...Array<number>(9).fill(200), 429])
  })
})

test('The key is nowhere in plain text, and is re-encrypted with the rest', async () => {
  await create()
  expect((await textOfSecrets(world)) + world.logged.join('')).not.toContain(KEY)
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

  test('by a member who saw its latest revision, and by one of two who saw it', async () => {
    const { body } = await edit(model.id, { contextTokens: 8_192, revision: 1 })
    expect(body).toMatchObject({ contextTokens: 8_192, revision: 2, lastFour: '1234' })
    expect(server.asked).toEqual([])
    const late = await edit(model.id, { contextTokens: 4_096, revision: 1 })
    expect(late.body).toMatchObject({ code: 'stale' })
    const both = await Promise.all(
      [8_192, 4_096].map((contextTokens) => edit(model.id, { contextTokens, revision: 2 })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('after the test question, if its server or name changes', async () => {
    server.script(say('No tool.'))
    expect(refusalsOf(await edit(model.id, { modelName: 'large', revision: 1 }))).toEqual([
      'modelName: model_without_tools',
    ])
    expect((await list()).items[0]).toMatchObject({ modelName: 'small', revision: 1 })
    expect((await edit(model.id, { modelName: 'large', revision: 1 })).status).toBe(200)
    expect(server.asked.at(-1)!.body.model).toBe('large')
  })

  systemTest('on another server only with its key', async () => {
    const other = await startModelServer({ tls: world.receiver.authority })
    other.otherwise = server.otherwise
    const moved = { baseUrl: other.baseUrl, revision: 1 }
    expect(refusalsOf(await edit(model.id, moved))).toEqual(['key: model_key_needed_again'])
    expect(other.asked).toEqual([])
    expect((await edit(model.id, { ...moved, key: 'another-key-9876' })).body).toMatchObject({
      lastFour: '9876',
    })
    expect(other.asked[0]!.wire).not.toContain(KEY)
    await other.close()
  })

  test('only with a new key if the old one is unreadable, and is not asked before', async () => {
    await putModel(world, { accountId }, { credential: 'v1.gone.AAAA.AAAA' })
    const renamed = { modelName: 'large', revision: 1 }
    expect(refusalsOf(await edit(model.id, renamed))).toEqual(['key: model_key_lost'])
    expect(await tested(model.id)).toMatchObject({
      isFit: false,
      why: { code: 'model_key_lost' },
    })
    expect(server.asked).toEqual([])
    expect((await edit(model.id, { ...renamed, key: NEW_KEY })).status).toBe(200)
  })

  test('to a working one by a test that it passes; until then Owners and Admins get a notice', async () => {
    server.otherwise = refuse(401)
    await askAs(world, accountId)
    expect((await list()).items[0]!.broken).toMatchObject({ code: 'model_unauthorized' })
    const items = await itemsOf<NoticeView>(owner, '/notices')
    expect(items.map(({ kind }) => kind)).toEqual(['model_broken'])
    const { words } = items[0]!
    expect(words.en.text).toContain('rejected the API key')
    expect(words.ar.text).toContain('رفض خادمه المفتاح')
    expect(JSON.stringify(words)).not.toContain(KEY)
    const refused = { isFit: false, why: { code: 'model_unauthorized' } }
    expect(await tested(model.id)).toMatchObject(refused)
    expect((await list()).items[0]!.broken).not.toBeNull()
    server.otherwise = call('read_line', { line: 7 })
    expect(await tested(model.id)).toMatchObject({ isFit: true, why: null })
    expect((await list()).items[0]!.broken).toBeNull()
  })

  systemTest('by switching it off and on, and is not asked while it is off', async () => {
    server.asked.length = 0
    await owner.ask('POST', `/models/${model.id}/switch-off`)
    expect((await askAs(world, accountId)).answer).toMatchObject({ failure: 'no_model' })
    expect(server.asked).toEqual([])
    await owner.ask('POST', `/models/${model.id}/switch-on`)
    expect((await askAs(world, accountId)).answer).toMatchObject({ ok: true })
  })

  systemTest('only by its own account', async () => {
    const { owner: stranger } = await ownedShop(world)
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

test('Models are put in order, those after a deleted one move up, and the audit records each change', async () => {
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
    expect(refusalsOf(answer)).toEqual(['ids: models_in_order'])
  }
  expect((await owner.ask('DELETE', `/models/${a}`)).status).toBe(204)
  const { items } = await list()
  expect(items.map(({ modelName, position }) => [modelName, position])).toEqual([
    ['c', 1],
    ['b', 2],
  ])
  await edit(b, { contextTokens: 9_000, revision: 1 })
  await tested(b)
  await owner.ask('POST', `/models/${b}/switch-off`)
  const done = ['created', 'created', 'created', 'ordered', 'deleted', 'edited', 'tested']
  expect(await actionsOn(world, { accountId })).toEqual(
    [...done, 'switched_off'].map((what) => `model.${what}`),
  )
})

systemTest('The Owner lowers the allowance; use is shown by day and purpose', async () => {
  const set = (tokensPerDay: number | null, member = owner) =>
    member.ask<ModelsView>('PUT', '/models/allowance', { tokensPerDay })
  expect((await set(5_000, admin)).status).toBe(403)
  expect((await set(5_000)).body.allowance).toEqual({
    tokensPerDay: 5_000,
    maxTokensPerDay: 2_000_000,
    usedToday: 0,
  })
  expect(refusalsOf(await set(2_000_001))).toEqual(['tokensPerDay: model_allowance_too_high'])
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

test('Concurrent tests of models exceed the allowance of the day by only one', async () => {
  await allowTokens(world, { accountId }, 1)
  const answers = await Promise.all(Array.from({ length: 3 }, () => create()))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
})

describe('Hearing and seeing', () => {
  const BOTH = { transcriptionModel: 'whisper-1', readsImages: true }
  test('is tested with a recording of silence and a built-in picture', async () => {
    const { status, body } = await create(BOTH)
    expect(status).toBe(201)
    expect(body).toMatchObject(BOTH)
    expect(server.heard.map(({ form }) => [form.model, form.fileName])).toEqual([
      ['whisper-1', 'voice.wav'],
    ])
    expect(server.asked).toHaveLength(2)
    expect(server.asked[1]!.wire).toContain('data:image/png;base64,')
  })

  systemTest(
    'is not saved for a model that cannot; a later test reports that it no longer can',
    async () => {
      server.scriptHeard(refuse(404))
      expect(refusalsOf(await create(BOTH))).toEqual(['transcriptionModel: model_hears_nothing'])
      server.script(call('read_line', { line: 7 }), refuse(400))
      expect(refusalsOf(await create(BOTH))).toEqual(['readsImages: model_sees_nothing'])
      expect(refusalsOf(await create({ ...BOTH, kind: 'anthropic' }))).toEqual([
        'transcriptionModel: model_kind_hears_nothing',
      ])
      const { id } = (await create(BOTH)).body
      server.scriptHeard(refuse(404))
      expect(await tested(id)).toMatchObject({ isFit: false, why: { code: 'model_hears_nothing' } })
    },
  )

  test('is tested only where it is new to a model that is changed', async () => {
    const { id } = (await create()).body
    server.asked.length = 0
    const hears = { transcriptionModel: 'whisper-1', revision: 1 }
    expect((await edit(id, hears)).body).toMatchObject({ transcriptionModel: 'whisper-1' })
    expect([server.asked.length, server.heard.length]).toEqual([0, 1])
    server.script(refuse(400))
    expect(refusalsOf(await edit(id, { readsImages: true, revision: 2 }))).toEqual([
      'readsImages: model_sees_nothing',
    ])
    server.script(say('Green.'))
    expect((await edit(id, { readsImages: true, revision: 2 })).status).toBe(200)
    const deaf = await edit(id, { transcriptionModel: null, readsImages: false, revision: 3 })
    expect(deaf.body).toMatchObject({ transcriptionModel: null, readsImages: false })
  })

  systemTest('is switched on by a company only if a model can do it', async () => {
    const at = `/companies/${shop.companyId}/assistant`
    const change = (json: object) => owner.ask<AssistantView>('PATCH', at, json)
    const { id } = (await create({ transcriptionModel: 'whisper-1' })).body
    const refused = await change({ transcribes: true, readsImages: true, revision: 0 })
    expect([refused.status, refusalsOf(refused)]).toEqual([422, ['readsImages: no_model_sees']])
    expect((await change({ transcribes: true, revision: 0 })).body).toMatchObject({
      transcribes: true,
      able: { transcribes: true, readsImages: false },
    })
    expect((await owner.ask('POST', `/models/${id}/switch-off`)).status).toBe(200)
    const { body } = await change({ name: 'Noor', transcribes: true, revision: 1 })
    expect(body).toMatchObject({ transcribes: true, able: { transcribes: false } })
    await change({ transcribes: false, revision: 2 })
    expect(refusalsOf(await change({ transcribes: true, revision: 3 }))).toEqual([
      'transcribes: no_model_hears',
    ])
  })
})
