/** The runs that accepted requests start, and the scope and lifetime of idempotency keys. */
import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { addFlow } from '../support/add-flow.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { openWorld } from '../support/open-world.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { conversationsOf } from '../support/records/conversations.ts'
import { runOf, runsOf } from '../support/records/runs.ts'
import { createOwnShop, ORDER_READY_STEPS, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()
const shop = await createOwnShop(world)

let serial = 0
/** Returns an order of a new customer. */
function newOrder() {
  serial += 1
  const phone = `+9665012340${String(serial).padStart(2, '0')}`
  return { ...ORDER, customer: { ...ORDER.customer, phone } }
}

const ask = (url: string, key: string) => postHook(url, ORDER, { 'idempotency-key': key })

describe('Start an automation', () => {
  test('a valid request passing all checks answers 202 accepted with the run id', async () => {
    const answer = await postHook(shop.hookUrl, newOrder())
    expect(answer).toEqual({
      http: 202,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'accepted',
      detail: null,
    })
    const run = await runOf(world, answer.id!)
    expect(run).toMatchObject({ status: 'queued', triggerKind: 'webhook', language: 'en' })
    expect(JSON.parse(run.variables)).toEqual({ order: '1043' })
  })

  test('contact found or created (new contact tagged `webhook`), conversation found or created', async () => {
    const order = newOrder()
    await postHook(shop.hookUrl, order)
    await postHook(shop.hookUrl, order)
    const { phone } = order.customer
    const [contact, ...others] = await contactsOf(world, shop, { phone })
    expect(others).toEqual([])
    expect(contact).toMatchObject({ name: 'Sara', tags: ['webhook'], language: 'en' })
    expect(await conversationsOf(world, { contactId: contact!.id })).toHaveLength(1)
  })

  test('a repeat key answers 200 duplicate with the first run’s id', async () => {
    const key = { 'idempotency-key': 'order-1' }
    const first = await postHook(shop.hookUrl, newOrder(), key)
    const again = await postHook(shop.hookUrl, newOrder(), { 'idempotency-key': '  order-1 ' })
    expect(first.http).toBe(202)
    expect(again).toMatchObject({ http: 200, status: 'duplicate', id: first.id })
  })

  test('two simultaneous requests with one key: one 202, the others 200 with the same id', async () => {
    const order = newOrder()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        // Half of them name another customer: the key decides, not the customer's lock.
        postHook(shop.hookUrl, index % 2 ? order : newOrder(), { 'idempotency-key': 'at-once' }),
      ),
    )
    expect(answers.filter((answer) => answer.http === 202)).toHaveLength(1)
    expect(answers.filter((answer) => answer.http === 200)).toHaveLength(19)
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(1)
    const runs = await runsOf(world, shop)
    expect(runs.filter(({ idempotencyKey: key }) => key === 'at-once')).toHaveLength(1)
  })
})

describe('A key', () => {
  let own: Shop
  beforeEach(async () => {
    own = await createOwnShop(world)
  })

  test('is compared exactly: case, inner spaces and letters that look alike make another key', async () => {
    const ids = new Set<string | null>()
    const keys = ['a b', 'a  b', 'A b', 'ab', '\u0430 b', 'a\u00a0b']
    for (const key of keys) {
      const answer = await ask(own.hookUrl, Buffer.from(key).toString('latin1'))
      expect([key, answer.http]).toEqual([key, 202])
      ids.add(answer.id)
    }
    expect(ids.size).toBe(keys.length)
  })

  test('is scoped to the flow: the same key on another flow of the company starts that flow', async () => {
    const other = await addFlow(world, own)
    const [first, second] = [await ask(own.hookUrl, 'order-1'), await ask(other.hookUrl, 'order-1')]
    expect([first.http, second.http]).toEqual([202, 202])
    expect(second.id).not.toBe(first.id)
    const runs = await runsOf(world, { companyId: own.companyId })
    expect(new Map(runs.map(({ id, flowId }) => [id, flowId]))).toEqual(
      new Map([
        [first.id, own.flowId],
        [second.id, other.flowId],
      ]),
    )
    expect(await ask(own.hookUrl, 'order-1')).toMatchObject({ http: 200, id: first.id })
    expect(await ask(other.hookUrl, 'order-1')).toMatchObject({ http: 200, id: second.id })
  })

  systemTest('is kept with its run while the run has not ended, whatever its age', async () => {
    // The run asks again and again, and gets no answer.
    const steps = {
      ask: { ...ORDER_READY_STEPS.ask, timeoutMinutes: 30 * 24 * 60, onTimeout: 'ask' },
      finish: ORDER_READY_STEPS.finish,
    }
    const patient = await createOwnShop(world, { steps, start: 'ask' })
    const first = await ask(patient.hookUrl, 'patient')
    expect(first.http).toBe(202)
    for (let days = 0; days < 124; days += 31) {
      await world.service.processAll()
      world.clock.advance(31 * DAY_MS)
    }
    await world.service.processAll()
    expect(await runOf(world, first.id!)).toMatchObject({ status: 'waiting', endedAt: null })
    expect(await ask(patient.hookUrl, 'patient')).toMatchObject({
      http: 200,
      status: 'duplicate',
      id: first.id,
    })
  })
})
