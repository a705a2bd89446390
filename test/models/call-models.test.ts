/** The choice of the model, the number of its calls, and the notice when it refuses the key. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { MODEL_LIMITS } from '../../src/core/limits/models.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import { callModels } from '../../src/modules/models/call-models.ts'
import { hasUsableModel } from '../../src/modules/models/has-usable-model.ts'
import type { OperatorModel } from '../../src/modules/models/model-access.ts'
import { holdTimers } from '../support/held-timers.ts'
import { startLosingProxy } from '../support/losing-proxy.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'
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
import { openWorld } from '../support/open-world.ts'
import { allowTokens } from '../support/records/accounts.ts'
import { refuseWrites } from '../support/records/faults.ts'
import { modelsOf, modelUseOf, putModel } from '../support/records/models.ts'
import { noticesOf } from '../support/records/notices.ts'
import { createWorld } from '../support/test-service.ts'
import { createOwnShop, createShop } from '../support/shop.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'
import { waitUntil } from '../support/wait.ts'
import { addModel, ask, askAs, callOf, depsOf, KEY, PROMPT } from './models-world.ts'

/** A member's model, over https as its address must be. */
let first: ModelServer
let second: ModelServer
let accountId: string
let operator: OperatorModel | null = null
const pauses: number[] = []

const world = await openWorld({
  operatorModel: () => operator,
  databasePool: '8',
  models: {
    pause: (ms) => {
      pauses.push(ms)
      world.clock.advance(ms)
      return Promise.resolve()
    },
  },
})

beforeEach(async () => {
  const { key, cert } = world.receiver.authority
  first = await startModelServer({ tls: { key, cert } })
  second = await startModelServer({ tls: { key, cert } })
  ;({ accountId } = await createOwnShop(world))
  pauses.length = 0
  operator = null
  return async () => {
    await first.close()
    await second.close()
  }
})

const addFirst = (more: { contextTokens?: number } = {}) =>
  addModel(world, { accountId, position: 1, baseUrl: first.baseUrl, modelName: 'one', ...more })
const addBoth = async () => {
  await addFirst()
  await addModel(world, { accountId, position: 2, baseUrl: second.baseUrl, modelName: 'two' })
}
const askIt = (change: Parameters<typeof askAs>[2] = {}) => askAs(world, accountId, change)
const notices = async () =>
  (await noticesOf(world, { accountId })).map(({ kind, details }) => ({ kind, details }))
const used = () => modelUseOf(world, { accountId })
const allow = (tokens: number) => allowTokens(world, { accountId }, tokens)
/** Calls the models several times, one after the other. */
const askTimes = async (times: number, change: Parameters<typeof askAs>[2] = {}) => {
  const asked = []
  for (let each = 0; each < times; each++) asked.push(await askIt(change))
  return asked
}

describe('Models are called in their order', () => {
  beforeEach(addBoth)

  test('the first that answers is the last that is called', async () => {
    const answered = { answer: { ok: true, text: 'Hello.' }, model: 'one', tried: [] }
    expect(await askIt()).toMatchObject(answered)
    expect(second.asked).toEqual([])
  })

  test('one that fails is called once more, then the next answers', async () => {
    first.script(refuse(500), refuse(500))
    const failed = { model: 'one', failure: 'server_error' }
    expect(await askIt()).toMatchObject({ model: 'two', tried: [failed, failed] })
  })

  test.each([
    ['as long as it says, up to 5 s', '3', 3_000],
    ['1 s where it says more', '60', 1_000],
  ])('before a model is called again it is left alone %s', async (_name, after, waited) => {
    first.script(refuse(429, { 'retry-after': after }), say('Now.'))
    expect((await askIt()).answer).toMatchObject({ ok: true, text: 'Now.' })
    expect(pauses).toEqual([waited])
  })

  test('a useless answer is requested once more immediately', async () => {
    first.script(empty(), raw(200, 'rubbish'))
    expect((await askIt()).model).toBe('two')
    expect([first.asked.length, pauses]).toEqual([2, []])
  })

  test('a silent model and a reset connection are tried again, and then the next model', async () => {
    first.script(hang(), reset())
    const timers = holdTimers(MODEL_LIMITS.requestMs)
    first.whenHanging = timers.elapse
    const { tried } = await askIt().finally(timers.release)
    expect(tried.map(({ failure }) => failure)).toEqual(['timeout', 'unreachable'])
  })

  test('a redirect is not followed, and not tried again', async () => {
    first.script(redirect(second.baseUrl))
    expect((await askIt()).tried).toEqual([{ model: 'one', failure: 'redirect_refused' }])
    expect(second.asked).toHaveLength(1)
  })

  test('tools are offered to and called by whichever answers', async () => {
    first.script(refuse(503), refuse(503))
    second.script(call('search_knowledge', { wording: 'hours' }))
    expect((await askIt()).answer).toMatchObject({ ok: true, finish: 'tools' })
  })

  test('the last failure is returned when none answers, and nothing of the conversation', async () => {
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

  test.each([refuse(500), empty()])('no model is called after the deadline', async (turn) => {
    first.script(turn)
    expect((await askIt({ deadline: world.clock.now() })).tried).toHaveLength(1)
    expect(second.asked).toEqual([])
  })

  test('the caller may end it between two requests', async () => {
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
  test('is returned to be trimmed, and the next model is not called; trimmed it goes to the next', async () => {
    await addBoth()
    first.script(contextTooLong(), contextTooLong())
    expect((await askIt()).answer).toMatchObject({ failure: 'context_too_long' })
    expect(second.asked).toEqual([])
    expect((await askIt({ isTrimmed: true })).model).toBe('two')
  })

  test('is noticed before it is sent when the model accepts less', async () => {
    await addFirst({ contextTokens: 4_096 })
    const long = ask({ instructions: [{ text: 'a'.repeat(20_000) }] })
    expect((await askIt({ request: long })).answer).toMatchObject({ failure: 'context_too_long' })
    expect(first.asked).toEqual([])
  })
})

describe('A model that cannot be used', () => {
  test.each([
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'not_found'],
  ])(
    'is marked when it answers %i, its Owners get one notice, the next answers',
    async (status, why) => {
      await addBoth()
      first.otherwise = refuse(status)
      const release = first.hold()
      const asking = Promise.all([askIt(), askIt()])
      await waitUntil('both requests are in flight', () => first.asked.length === 2)
      release()
      const both = await asking
      expect(both.map(({ model }) => model)).toEqual(['two', 'two'])
      expect(await askIt()).toMatchObject({ model: 'two', tried: [] })
      const details = { modelName: 'one', host: new URL(first.baseUrl).host, why }
      expect(await notices()).toEqual([{ kind: 'model_broken', details }])
      const [one] = await modelsOf(world, { accountId })
      expect(one!.broken).toContain(`model_${why}`)
      expect(world.logged.join('')).not.toContain(KEY)
    },
  )

  test('is marked too when its key cannot be read any more, and is not called', async () => {
    await addBoth()
    await putModel(world, { accountId }, { credential: 'v1.gone.AAAA.AAAA' })
    expect((await askIt()).model).toBe('two')
    expect(first.asked).toEqual([])
    expect((await notices()).map(({ kind }) => kind)).toEqual(['model_broken'])
  })

  test('leaves the account without a model when it is the only one', async () => {
    await addFirst()
    expect(await hasUsableModel(depsOf(world), accountId)).toBe(true)
    first.script(refuse(401))
    await askIt()
    expect(await hasUsableModel(depsOf(world), accountId)).toBe(false)
    expect((await askIt()).answer).toMatchObject({ failure: 'no_model' })
  })
})

systemDescribe('The circuit of a model', () => {
  beforeEach(addBoth)

  test('opens for 30 s after five failures in 60 s, then one request goes first', async () => {
    first.otherwise = refuse(500)
    await askTimes(3)
    expect(first.asked).toHaveLength(5)
    const whileOpen = await Promise.all(Array.from({ length: 20 }, () => askIt()))
    const asTried = { model: 'two', tried: [{ model: 'one', failure: 'circuit_open' }] }
    expect(whileOpen).toEqual(whileOpen.map(() => expect.objectContaining(asTried)))
    expect(first.asked).toHaveLength(5)
    world.clock.advance(31_000)
    await Promise.all(Array.from({ length: 20 }, () => askIt()))
    expect(first.asked).toHaveLength(6)
    world.clock.advance(31_000)
    first.otherwise = say('Well again.')
    expect((await askTimes(2)).map(({ model }) => model)).toEqual(['one', 'one'])
  })

  test('stays closed after failures that say nothing about the model', async () => {
    for (const turn of [contextTooLong(), empty()]) {
      first.otherwise = turn
      await askTimes(8)
    }
    first.otherwise = call('search_knowledge', {})
    for (const { tried } of await askTimes(8, { request: ask({ toolChoice: 'none' }) })) {
      expect(tried[0]).toEqual({ model: 'one', failure: 'called_unasked' })
    }
    first.otherwise = say('Here.')
    expect((await askIt()).model).toBe('one')
  })
})

describe("A member's model", () => {
  systemTest('is called at public addresses only, checked at the connection', async () => {
    const inside = await createWorld({ isPublicAddress: () => false, egressDeny: '127.0.0.0/8' })
    const shop = await createShop(inside)
    await addModel(inside, { accountId: shop.accountId, baseUrl: first.baseUrl })
    const { answer } = await askAs(inside, shop.accountId)
    expect(answer).toMatchObject({ failure: 'address_refused' })
    expect(first.asked).toEqual([])
    await inside.close()
  })

  test('is never called over plain http', async () => {
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
    const { baseUrl } = own
    const house = { modelName: 'house', baseUrl, key: null, isScripted: false }
    operator = { kind: 'openai_compatible', ...house }
    return () => own.close()
  })

  test('answers only for accounts that have set up no model, at any address', async () => {
    expect(await hasUsableModel(depsOf(world), accountId)).toBe(true)
    expect(await askIt()).toMatchObject({ model: 'house', answer: { ok: true } })
    own.asked.length = 0
    await addFirst()
    first.otherwise = refuse(500)
    expect((await askIt()).answer).toMatchObject({ ok: false })
    expect(own.asked).toEqual([])
  })

  test('is reported in the log when it refuses the key, without its key', async () => {
    operator = { ...operator!, key: KEY }
    own.otherwise = refuse(401)
    expect((await askIt()).answer).toMatchObject({ failure: 'unauthorized' })
    expect(world.logged.join('')).toContain('MODEL_API_KEY')
    expect(world.logged.join('')).not.toContain(KEY)
    expect(await notices()).toEqual([])
  })
})

describe('Token usage', () => {
  test('is counted by day and purpose, failures too, estimates apart', async () => {
    await addFirst()
    first.script(refuse(500), say('Hello.'), withoutUsage('Hello.'))
    await askIt()
    await askIt({ purpose: 'playground' })
    expect(await used()).toEqual([
      { purpose: 'customer', requests: 2, tokensIn: 100, tokensOut: 20, estimated: 0 },
      expect.objectContaining({ purpose: 'playground', requests: 1, estimated: 1 }),
    ])
  })

  test('is counted once if the database fails as it is recorded, and costs no answer', async () => {
    await addFirst()
    const end = await refuseWrites(world, 'usage of models', { code: '57P03', once: true })
    expect((await askIt()).answer).toMatchObject({ ok: true })
    await end()
    const once = { purpose: 'customer', requests: 1, tokensIn: 100, tokensOut: 20, estimated: 0 }
    expect(await used()).toEqual([once])

    const proxy = await startLosingProxy(world.database.connection)
    const db = connectDatabase(proxy.connection)
    onTestFinished(async () => {
      await db.close()
      await proxy.close()
    })
    const lost = proxy.loseAnswerTo(/insert into model_day/)
    const asked = callModels({ ...depsOf(world), db }, callOf(world, accountId))
    await lost
    expect((await asked).answer).toMatchObject({ ok: true })
    expect(await used()).toEqual([{ ...once, requests: 2, tokensIn: 200, tokensOut: 40 }])
  })

  test("ends at the account's daily allowance, with one notice to its Owners at 80 and at 100 %", async () => {
    await addFirst()
    await allow(600)
    await askTimes(8)
    expect(first.asked).toHaveLength(5)
    expect((await askIt()).answer).toMatchObject({ failure: 'allowance_used_up' })
    expect((await notices()).map(({ details }) => details)).toEqual([
      { percent: 80, tokensPerDay: 600 },
      { percent: 100, tokensPerDay: 600 },
    ])
    world.clock.advance(DAY_MS)
    expect((await askIt()).answer).toMatchObject({ ok: true })
  })

  test('exceeds the allowance by only one of many concurrent requests, as in sequence', async () => {
    await addFirst()
    await allow(1)
    const all = await Promise.all(Array.from({ length: 10 }, () => askIt()))
    expect(all.filter(({ answer }) => answer.ok)).toHaveLength(1)
    expect(first.asked).toHaveLength(1)
    expect(await askIt()).toMatchObject({ answer: { failure: 'allowance_used_up' } })
  })

  test('causes one notice when two concurrent requests each use a part of the allowance', async () => {
    await addFirst()
    await allow(200)
    const both = await Promise.all([askIt(), askIt()])
    expect(both.map(({ answer }) => answer.ok)).toEqual([true, true])
    for (const { answer } of await askTimes(2)) {
      expect(answer).toMatchObject({ failure: 'allowance_used_up' })
    }
    const details = { percent: 100, tokensPerDay: 200 }
    expect(await notices()).toEqual([{ kind: 'model_allowance', details }])
  })

  test("is no more than the operator's number, whatever the Owner says", async () => {
    const frugal = await createWorld({ modelTokensPerDay: '1000' })
    const shop = await createShop(frugal)
    await addModel(frugal, { accountId: shop.accountId, baseUrl: first.baseUrl })
    await allowTokens(frugal, shop, 5_000)
    for (let each = 0; each < 12; each++) await askAs(frugal, shop.accountId)
    expect(first.asked).toHaveLength(9)
    await frugal.close()
  })
})
