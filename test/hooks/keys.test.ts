/** How far an idempotency key reaches, and for how long. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../src/limits/units.ts'
import { addFlow } from '../support/add-flow.ts'
import { askHook, ORDER } from '../support/ask-hook.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, ORDER_READY_STEPS, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
let serial = 0
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  shop = await newShop()
})

async function newShop(options: Parameters<typeof createShop>[1] = {}): Promise<Shop> {
  serial += 1
  const own = { phoneNumberId: `n${serial}`, businessAccountId: `a${serial}` }
  return createShop(world, { ...own, ...options })
}

const ask = (url: string, key: string) => askHook(url, ORDER, { 'idempotency-key': key })

describe('A key', () => {
  test('is compared exactly: case, inner spaces and letters that look alike make another key', async () => {
    const ids = new Set<string | null>()
    const keys = ['a b', 'a  b', 'A b', 'ab', '\u0430 b', 'a\u00a0b']
    for (const key of keys) {
      const answer = await ask(shop.hookUrl, Buffer.from(key).toString('latin1'))
      expect([key, answer.http]).toEqual([key, 202])
      ids.add(answer.id)
    }
    expect(ids.size).toBe(keys.length)
  })

  test('is scoped to the flow: the same key on another flow of the company starts that flow', async () => {
    const other = await addFlow(world, shop)
    const [first, second] = [
      await ask(shop.hookUrl, 'order-1'),
      await ask(other.hookUrl, 'order-1'),
    ]
    expect([first.http, second.http]).toEqual([202, 202])
    expect(second.id).not.toBe(first.id)
    const runs = await world.database.db.kysely
      .selectFrom('flowRun')
      .select(['id', 'flowId'])
      .where('companyId', '=', shop.companyId)
      .execute()
    expect(new Map(runs.map(({ id, flowId }) => [id, flowId]))).toEqual(
      new Map([
        [first.id, shop.flowId],
        [second.id, other.flowId],
      ]),
    )
    expect(await ask(shop.hookUrl, 'order-1')).toMatchObject({ http: 200, id: first.id })
    expect(await ask(other.hookUrl, 'order-1')).toMatchObject({ http: 200, id: second.id })
  })

  test('of two flows that is asked for at one moment starts both', async () => {
    const other = await addFlow(world, shop)
    const answers = await Promise.all(
      [shop, other, shop, other].map(({ hookUrl }) => ask(hookUrl, 'at-once')),
    )
    expect(answers.map(({ http }) => http).toSorted((a, b) => a - b)).toEqual([200, 200, 202, 202])
    expect(new Set(answers.map(({ id }) => id)).size).toBe(2)
    expect(answers[0]!.id).toBe(answers[2]!.id)
  })

  test('of one account is not one of another', async () => {
    const other = await newShop()
    const [first, second] = [
      await ask(shop.hookUrl, 'order-1'),
      await ask(other.hookUrl, 'order-1'),
    ]
    expect([first.http, second.http]).toEqual([202, 202])
    expect(second.id).not.toBe(first.id)
  })

  systemTest('of a run that has not ended is kept with the run, whatever its age', async () => {
    // It asks again and again, and nobody answers.
    const steps = {
      ask: { ...ORDER_READY_STEPS.ask, timeoutMinutes: 30 * 24 * 60, onTimeout: 'ask' },
      finish: ORDER_READY_STEPS.finish,
    }
    const patient = await newShop({ steps, start: 'ask' })
    const first = await ask(patient.hookUrl, 'patient')
    expect(first.http).toBe(202)
    for (let days = 0; days < 124; days += 31) {
      await world.service.processAll()
      world.clock.advance(31 * DAY_MS)
    }
    await world.service.processAll()
    const run = await world.database.db.kysely
      .selectFrom('flowRun')
      .select(['status', 'endedAt'])
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow()
    expect(run).toEqual({ status: 'waiting', endedAt: null })
    expect(await ask(patient.hookUrl, 'patient')).toMatchObject({
      http: 200,
      status: 'duplicate',
      id: first.id,
    })
  })
})
