/**
 * Two processes of the service on one database, asked at the same moment. The promises of the specification about
 * keys, customers and URLs hold over both, also when one of them is killed.
 */
import { expect, test } from 'vitest'
import type { HookUrlView } from '../../src/contract/dashboard/hook-url.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { openKillableWorld } from '../support/killable-world.ts'
import { liftAllowances } from '../support/records/allowances.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { conversationsOf } from '../support/records/conversations.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { runsOf } from '../support/records/runs.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { signedIn } from '../support/dashboard.ts'
import { createShop } from '../support/shop.ts'
import { repeatDuring } from '../support/wait.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'

const { world, serve } = await openKillableWorld()
// The limits of requests in a minute and an hour are not tested here: the counters of this database forget every
// request, so that hundreds may be made at one moment.
await liftAllowances(world)
// The runs send nothing: a customer's limit of templates in a day does not matter here either.
const shop = await createShop(world, { start: 'finish', steps: { finish: { kind: 'end' } } })
const services = [await serve(), await serve()]
await Promise.all(services.map((service) => service.start()))

let requests = 0
/** Asks the processes in turn, each time from another address. */
async function ask(phone: string, headers: Record<string, string> = {}, token = shop.hookToken) {
  requests += 1
  const { url } = services[requests % services.length]!
  const from = { 'x-forwarded-for': `198.18.${(requests >> 8) & 255}.${requests & 255}` }
  const order = { ...ORDER, customer: { ...ORDER.customer, phone } }
  const exchangeOnce = () => postHook(`${url}/hooks/${token}`, order, { ...from, ...headers })
  let answer = await exchangeOnce()
  // The batcher gives up after 1.5 s on an overloaded machine, and a shop repeats the request.
  for (let retry = 0; answer.http === 503 && retry < 10; retry += 1) answer = await exchangeOnce()
  return answer
}

const { companyId } = shop
const runs = () => runsOf(world, { companyId })
async function count() {
  const types = await eventTypesOf(world, { companyId })
  return {
    runs: (await runs()).length,
    contacts: (await contactsOf(world, { companyId })).length,
    conversations: (await conversationsOf(world, { companyId })).length,
    created: types.filter((type) => type === 'contact.created').length,
    started: types.filter((type) => type === 'conversation.started').length,
  }
}

test('200 simultaneous requests with one key: one 202, 199 × 200 with its id, one run', async () => {
  const key = { 'idempotency-key': 'one-for-all' }
  const answers = await Promise.all(
    // Half of them name another customer: the key decides.
    Array.from({ length: 200 }, (_, at) => ask(`+96650100${at % 4 > 1 ? '0001' : '0002'}`, key)),
  )
  expect(answers.filter(({ http }) => http === 202)).toHaveLength(1)
  expect(answers.filter(({ http }) => http === 200)).toHaveLength(199)
  const ids = new Set(answers.map(({ id }) => id))
  expect(ids.size).toBe(1)
  expect((await runs()).filter((run) => run.idempotencyKey === 'one-for-all')).toMatchObject([
    { id: [...ids][0] },
  ])
})

test('100 concurrent requests for one new customer: one contact, one conversation, 100 runs', async () => {
  const before = await count()
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, at) =>
      ask('+966501000100', { 'idempotency-key': `new-${at}` }),
    ),
  )
  expect(answers.filter(({ http }) => http === 202)).toHaveLength(100)
  expect(new Set(answers.map(({ id }) => id)).size).toBe(100)
  expect(await count()).toEqual({
    runs: before.runs + 100,
    contacts: before.contacts + 1,
    conversations: before.conversations + 1,
    created: before.created + 1,
    started: before.started + 1,
  })
})

test(
  'one process is killed in the middle: every 202 has its run, and repeats answer its id',
  async () => {
    const told = new Map<string, string>()
    let answered = 0
    let orders = 0
    /** The limit of orders, however long a start takes: each is requested twice more below. */
    let maxOrders = 0
    const orderOnce = async () => {
      if (orders >= maxOrders) return
      const key = `crash-${(orders += 1)}`
      const phone = `+9665020${String(orders).padStart(5, '0')}`
      const answer = await ask(phone, { 'idempotency-key': key }).catch(() => null)
      if (answer) answered += 1
      if (answer?.http === 202) told.set(key, answer.id!)
    }
    const crashThrice = async () => {
      for (let crash = 1; crash <= 3; crash += 1) {
        maxOrders = crash * 150
        await expect
          .poll(() => answered, { timeout: 60_000 * TIMEOUT_FACTOR })
          .toBeGreaterThan(crash * 60)
        await services[0]!.kill()
        await services[0]!.start()
      }
    }
    const patience = { withinMs: 120_000, everyMs: 2, workers: 16 }
    await repeatDuring('orders', orderOnce, crashThrice, patience)

    const kept = new Map((await runs()).map((run) => [run.idempotencyKey, run.id]))
    expect(told.size).toBeGreaterThan(100)
    for (const [key, id] of told) expect(kept.get(key)).toBe(id)
    // The orders whose answer was lost with the process included: each starts one run in all, on either process.
    const ids = new Map<string, string>()
    for (let time = 0; time < 2; time += 1) {
      for (let first = 1; first <= orders; first += 100) {
        const length = Math.min(100, orders - first + 1)
        const numbers = Array.from({ length }, (_, at) => first + at)
        await Promise.all(
          numbers.map(async (order) => {
            const key = `crash-${order}`
            const phone = `+9665020${String(order).padStart(5, '0')}`
            const { http, id } = await ask(phone, { 'idempotency-key': key })
            expect(http === 200 || (http === 202 && !kept.has(key) && time === 0)).toBe(true)
            expect(id).toBe(ids.get(key) ?? kept.get(key) ?? id)
            ids.set(key, id!)
          }),
        )
      }
    }
    const started = (await runs()).filter((run) => run.idempotencyKey?.startsWith('crash-'))
    expect(started).toHaveLength(orders)
  },
  180_000 * TIMEOUT_FACTOR,
)

test('a replaced URL is 404 immediately on both, the new one works, and keys are kept', async () => {
  const owner = await signedIn(world, { accountId: shop.accountId })
  const urls = `/companies/${companyId}/hook-urls`
  const [known] = (await owner.ask<Page<HookUrlView>>('GET', urls)).body.items
  const key = { 'idempotency-key': 'before-the-change' }
  const first = await ask('+966501000300', key)
  expect(first.http).toBe(202)
  const replaced = await owner.ask<{ url: string }>('POST', `${urls}/${known!.id}/replace`)
  const token = replaced.body.url.split('/').at(-1)!
  const askBoth = (...how: Parameters<typeof ask>) => Promise.all([ask(...how), ask(...how)])
  const gone = { http: 404, status: 'not_found' }
  expect(await askBoth('+966501000300')).toMatchObject([gone, gone])
  const kept = { http: 200, id: first.id }
  expect(await askBoth('+966501000300', key, token)).toMatchObject([kept, kept])
  expect(services.map((service) => service.logged()).join('')).not.toMatch(/hook_[\w-]{37}/)
})
