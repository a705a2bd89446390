/** Which model answers, how often one is asked, and who is told when it does not let us in. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasUsableModel } from '../../src/models/has-usable-model.ts'
import type { OperatorModel } from '../../src/models/model-access.ts'
import {
  call,
  contextTooLong,
  empty,
  hang,
  raw,
  redirect,
  refuse,
  reset,
  say,
  withoutUsage,
} from '../support/model-turns.ts'
import { MODEL_LIMITS } from '../../src/limits/models.ts'
import { holdTimers } from '../support/held-timers.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop } from '../support/shop.ts'
import { addModel, ask, askAs, depsOf, KEY, PROMPT } from './models-world.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'

let world: World
/** Of a member: over https, as an address of a member's must be. */
let first: ModelServer
let second: ModelServer
let accountId: string
let operator: OperatorModel | null = null
const pauses: number[] = []

beforeAll(async () => {
  world = await createWorld({
    operatorModel: () => operator,
    models: {
      pause: (ms) => {
        pauses.push(ms)
        world.clock.advance(ms)
        return Promise.resolve()
      },
    },
  })
})
afterAll(() => world.close())

let shops = 0
beforeEach(async () => {
  const { key, cert } = world.receiver.authority
  first = await startModelServer({ tls: { key, cert } })
  second = await startModelServer({ tls: { key, cert } })
  const number = String(++shops)
  ;({ accountId } = await createShop(world, { phoneNumberId: number, businessAccountId: number }))
  pauses.length = 0
  operator = null
  return async () => {
    await first.close()
    await second.close()
  }
})

const addBoth = async () => {
  await addModel(world, { accountId, position: 1, baseUrl: first.baseUrl, modelName: 'one' })
  await addModel(world, { accountId, position: 2, baseUrl: second.baseUrl, modelName: 'two' })
}
const askIt = (change: Parameters<typeof askAs>[2] = {}) => askAs(world, accountId, change)
const notices = () =>
  world.database.db.kysely
    .selectFrom('notice')
    .select(['kind', 'details'])
    .where('accountId', '=', accountId)
    .orderBy('createdAt')
    .execute()
const rows = () =>
  world.database.db.kysely
    .selectFrom('model')
    .select(['modelName', 'broken'])
    .where('accountId', '=', accountId)
    .orderBy('position')
    .execute()
const used = () =>
  world.database.db.kysely
    .selectFrom('modelDay')
    .select(['purpose', 'requests', 'tokensIn', 'tokensOut', 'estimated'])
    .where('accountId', '=', accountId)
    .orderBy('purpose')
    .execute()

describe('Models are asked in their order', () => {
  test('the first that answers is the last that is asked', async () => {
    await addBoth()
    const { answer, model, tried } = await askIt()
    expect(answer).toMatchObject({ ok: true, text: 'Hello.' })
    expect(model).toBe('one')
    expect(tried).toEqual([])
    expect(second.asked).toEqual([])
  })

  test('one that fails is asked once more, then the next answers', async () => {
    await addBoth()
    first.script(refuse(500), refuse(500))
    const { model, tried } = await askIt()
    expect(model).toBe('two')
    expect(tried).toEqual([
      { model: 'one', failure: 'server_error' },
      { model: 'one', failure: 'server_error' },
    ])
  })

  test.each([
    ['as long as it says, up to 5 s', '3', 3_000],
    ['1 s where it says more', '60', 1_000],
  ])('before it is asked again it is left alone %s', async (_name, after, waited) => {
    await addBoth()
    first.script(refuse(429, { 'retry-after': after }), say('Now.'))
    expect((await askIt()).answer).toMatchObject({ ok: true, text: 'Now.' })
    expect(pauses).toEqual([waited])
  })

  test('an answer of no use is asked for once more at once', async () => {
    await addBoth()
    first.script(empty(), raw(200, 'rubbish'))
    expect((await askIt()).model).toBe('two')
    expect(first.asked).toHaveLength(2)
    expect(pauses).toEqual([])
  })

  test('silence and a reset are asked again, and then the next', async () => {
    await addBoth()
    first.script(hang(), reset())
    const timers = holdTimers(MODEL_LIMITS.requestMs)
    first.whenHanging = timers.elapse
    const { tried } = await askIt().finally(timers.release)
    expect(tried.map(({ failure }) => failure)).toEqual(['timeout', 'unreachable'])
  })

  test('a redirect is not followed, and not asked for again', async () => {
    await addBoth()
    first.script(redirect(second.baseUrl))
    expect((await askIt()).tried).toEqual([{ model: 'one', failure: 'redirect_refused' }])
    expect(second.asked).toHaveLength(1)
  })

  test('tools are offered and called over whichever answers', async () => {
    await addBoth()
    first.script(refuse(503), refuse(503))
    second.script(call('search_knowledge', { wording: 'hours' }))
    const { answer } = await askIt()
    expect(answer).toMatchObject({ ok: true, finish: 'tools' })
  })

  test('when none answers, the last failure comes back, and nothing of what was said', async () => {
    await addBoth()
    first.otherwise = refuse(500)
    second.otherwise = refuse(429)
    const asked = await askIt()
    expect(asked.answer).toMatchObject({ ok: false, failure: 'rate_limited' })
    expect(asked.tried).toHaveLength(4)
    for (const secret of [KEY, PROMPT]) {
      expect(JSON.stringify(asked)).not.toContain(secret)
      expect(world.logged.join('')).not.toContain(secret)
    }
  })

  test.each([refuse(500), empty()])('after the deadline nothing more is asked', async (turn) => {
    await addBoth()
    first.script(turn)
    const { tried } = await askIt({ deadline: world.clock.now() })
    expect(tried).toHaveLength(1)
    expect(second.asked).toEqual([])
  })

  test('who asks may end it between two requests', async () => {
    await addBoth()
    const ending = new AbortController()
    first.script(hang())
    const asking = askIt({ signal: ending.signal })
    await expect.poll(() => first.asked.length).toBe(1)
    ending.abort()
    expect((await asking).answer).toMatchObject({ failure: 'cancelled' })
    expect(second.asked).toEqual([])
  })
})

describe('A context that is too long', () => {
  test('comes back to be trimmed, and the next model is not asked', async () => {
    await addBoth()
    first.script(contextTooLong())
    expect((await askIt()).answer).toMatchObject({ failure: 'context_too_long' })
    expect(second.asked).toEqual([])
  })

  test('that was trimmed goes to the next', async () => {
    await addBoth()
    first.script(contextTooLong())
    expect((await askIt({ isTrimmed: true })).model).toBe('two')
  })

  test('is seen before it is sent where the model takes less', async () => {
    await addModel(world, { accountId, baseUrl: first.baseUrl, contextTokens: 4_096 })
    const long = ask({ instructions: [{ text: 'a'.repeat(20_000) }] })
    expect((await askIt({ ask: long })).answer).toMatchObject({ failure: 'context_too_long' })
    expect(first.asked).toEqual([])
  })
})

describe('A model that does not let us in', () => {
  test.each([
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'not_found'],
  ])('%i: is marked, its Owners are told once, the next answers', async (status, why) => {
    await addBoth()
    first.otherwise = refuse(status)
    const both = await Promise.all([askIt(), askIt()])
    expect(both.map(({ model }) => model)).toEqual(['two', 'two'])
    expect(await askIt()).toMatchObject({ model: 'two', tried: [] })
    const { host } = new URL(first.baseUrl)
    expect(await notices()).toEqual([
      { kind: 'model_broken', details: JSON.stringify({ modelName: 'one', host, why }) },
    ])
    expect((await rows())[0]!.broken).toContain(`model_${why}`)
    expect(world.logged.join('')).not.toContain(KEY)
  })

  test('whose key cannot be read any more is marked too, and not asked', async () => {
    await addBoth()
    await world.database.db.kysely
      .updateTable('model')
      .set({ credential: 'v1.gone.AAAA.AAAA' })
      .where('accountId', '=', accountId)
      .where('position', '=', 1)
      .execute()
    expect((await askIt()).model).toBe('two')
    expect(first.asked).toEqual([])
    expect((await notices()).map(({ kind }) => kind)).toEqual(['model_broken'])
  })

  test('and that is the only one leaves the account without', async () => {
    await addModel(world, { accountId, baseUrl: first.baseUrl })
    expect(await hasUsableModel(depsOf(world), accountId)).toBe(true)
    first.script(refuse(401))
    await askIt()
    expect(await hasUsableModel(depsOf(world), accountId)).toBe(false)
    expect((await askIt()).answer).toMatchObject({ failure: 'no_model' })
  })
})

systemDescribe('The circuit of a model', () => {
  test('opens for 30 s after five failures in 60 s, then one request goes first', async () => {
    await addBoth()
    first.otherwise = refuse(500)
    for (let each = 0; each < 3; each++) await askIt()
    expect(first.asked).toHaveLength(5)
    const whileOpen = await Promise.all(Array.from({ length: 20 }, () => askIt()))
    const shut = { model: 'one', failure: 'circuit_open' }
    const asTried = { model: 'two', tried: [shut] }
    expect(whileOpen).toEqual(whileOpen.map(() => expect.objectContaining(asTried)))
    expect(first.asked).toHaveLength(5)
    world.clock.advance(31_000)
    await Promise.all(Array.from({ length: 20 }, () => askIt()))
    expect(first.asked).toHaveLength(6)
    world.clock.advance(31_000)
    first.otherwise = say('Well again.')
    expect((await askIt()).model).toBe('one')
    expect((await askIt()).model).toBe('one')
  })

  test('is not opened by what says nothing of the model', async () => {
    await addBoth()
    for (const turn of [contextTooLong(), empty()]) {
      first.otherwise = turn
      for (let each = 0; each < 8; each++) await askIt()
    }
    first.otherwise = call('search_knowledge', {})
    const forWords = { ask: { ...ask(), toolChoice: 'none' } } as const
    for (let each = 0; each < 8; each++) {
      const { tried } = await askAs(world, accountId, forWords)
      expect(tried[0]).toEqual({ model: 'one', failure: 'called_unasked' })
    }
    first.otherwise = say('Here.')
    expect((await askIt()).model).toBe('one')
  })
})

describe("A member's model", () => {
  systemTest('is asked at public addresses only, judged at the connection', async () => {
    const inside = await createWorld({ isPublicAddress: () => false, egressDeny: '127.0.0.0/8' })
    const shop = await createShop(inside)
    await addModel(inside, { accountId: shop.accountId, baseUrl: first.baseUrl })
    const { answer } = await askAs(inside, shop.accountId)
    expect(answer).toMatchObject({ failure: 'address_refused' })
    expect(first.asked).toEqual([])
    await inside.close()
  })

  test('is never asked over plain http', async () => {
    const plain = await startModelServer()
    await addModel(world, { accountId, baseUrl: plain.baseUrl })
    expect((await askIt()).answer).toMatchObject({ failure: 'address_refused' })
    expect(plain.asked).toEqual([])
    await plain.close()
  })
})

describe("The operator's model", () => {
  let own: ModelServer
  beforeEach(async () => {
    own = await startModelServer()
    operator = {
      kind: 'openai_compatible',
      modelName: 'house',
      baseUrl: own.baseUrl,
      key: null,
      isScripted: false,
    }
    return () => own.close()
  })

  test('answers for accounts that have set up none, at any address', async () => {
    expect(await hasUsableModel(depsOf(world), accountId)).toBe(true)
    expect(await askIt()).toMatchObject({ model: 'house', answer: { ok: true } })
  })

  test('is not asked for an account with models of its own, even when all of them fail', async () => {
    await addModel(world, { accountId, baseUrl: first.baseUrl })
    first.otherwise = refuse(500)
    expect((await askIt()).answer).toMatchObject({ ok: false })
    expect(own.asked).toEqual([])
  })

  test('that does not let us in is told in the log, without its key', async () => {
    operator = { ...operator!, key: KEY }
    own.otherwise = refuse(401)
    expect((await askIt()).answer).toMatchObject({ failure: 'unauthorized' })
    expect(world.logged.join('')).toContain('MODEL_API_KEY')
    expect(world.logged.join('')).not.toContain(KEY)
    expect(await notices()).toEqual([])
  })
})

describe('What is used', () => {
  test('is counted by day and purpose, failures too, estimates apart', async () => {
    await addModel(world, { accountId, baseUrl: first.baseUrl })
    first.script(refuse(500), say('Hello.'), withoutUsage('Hello.'))
    await askIt()
    await askIt({ purpose: 'playground' })
    expect(await used()).toEqual([
      { purpose: 'customer', requests: 2, tokensIn: 100, tokensOut: 20, estimated: 0 },
      {
        purpose: 'playground',
        requests: 1,
        tokensIn: expect.any(Number),
        tokensOut: expect.any(Number),
        estimated: 1,
      },
    ])
  })

  const allow = (tokens: number) =>
    world.database.db.kysely
      .updateTable('account')
      .set({ modelTokensPerDay: tokens })
      .where('id', '=', accountId)
      .execute()

  test("ends at the account's allowance; its Owners are told once at 80 and at 100 %", async () => {
    await addModel(world, { accountId, baseUrl: first.baseUrl })
    await allow(600)
    for (let each = 0; each < 8; each++) await askIt()
    expect(first.asked).toHaveLength(5)
    expect((await askIt()).answer).toMatchObject({ failure: 'allowance_used_up' })
    expect((await notices()).map(({ details }) => JSON.parse(details) as object)).toEqual([
      { percent: 80, tokensPerDay: 600 },
      { percent: 100, tokensPerDay: 600 },
    ])
  })

  test('begins anew with the day of UTC', async () => {
    await addModel(world, { accountId, baseUrl: first.baseUrl })
    await allow(120)
    await askIt()
    expect((await askIt()).answer).toMatchObject({ failure: 'allowance_used_up' })
    world.clock.advance(24 * 3_600_000)
    expect((await askIt()).answer).toMatchObject({ ok: true })
  })

  test("is no more than the operator's number, whatever the Owner says", async () => {
    const frugal = await createWorld({ modelTokensPerDay: '1000' })
    const shop = await createShop(frugal)
    await addModel(frugal, { accountId: shop.accountId, baseUrl: first.baseUrl })
    await frugal.database.db.kysely
      .updateTable('account')
      .set({ modelTokensPerDay: 5_000 })
      .execute()
    for (let each = 0; each < 12; each++) await askAs(frugal, shop.accountId)
    expect(first.asked).toHaveLength(9)
    await frugal.close()
  })
})
