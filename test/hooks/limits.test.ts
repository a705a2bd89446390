/** The number of requests that pass, and which requests count. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAddressLimit } from '../../src/http/ip-rate-limiter.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { addFlow } from '../support/add-flow.ts'
import { takeTableAway } from '../support/records/faults.ts'
import { pauseHooks, setRequestsOfHour, whatIsStored } from '../support/records/hooks.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

const addressLimit = createAddressLimit()
let shop: Shop
const world = await openWorld({ addressLimit, trustedProxies: '127.0.0.0/8', databasePool: '8' })

beforeEach(async () => {
  world.clock.moveTo('2026-11-21T09:00:00.000Z')
  shop = await createOwnShop(world)
})

let addresses = 0
/** Sends a request, by default from an address that has sent none yet. */
async function ask(url: string, address = `198.18.${++addresses >> 8}.${addresses & 255}`) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(ORDER),
  })
  return {
    http: response.status,
    type: response.headers.get('content-type'),
    text: await response.text(),
  }
}

async function askMany(
  count: number,
  url: string,
  address?: string,
): Promise<Record<string, number>> {
  const answers: Awaited<ReturnType<typeof ask>>[] = []
  for (let left = count; left > 0; left -= 50) {
    const asked = Array.from({ length: Math.min(left, 50) }, () => ask(url, address))
    answers.push(...(await Promise.all(asked)))
  }
  return countOf(answers.map(({ http, text }) => (text.startsWith('{') ? String(http) : text)))
}

function countOf(words: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

/** Counts the company's requests of this hour that a test need not send. */
const setHour = (requests: number) => setRequestsOfHour(world, shop, requests)

describe('60 requests a minute to one hook URL, in fixed clock minutes', () => {
  test('60 at the last second of a minute and 60 more at the first of the next pass', async () => {
    world.clock.moveTo('2026-11-21T09:00:59.999Z')
    expect(await askMany(61, shop.hookUrl)).toEqual({ 202: 60, 429: 1 })
    world.clock.moveTo('2026-11-21T09:01:00.000Z')
    expect(await askMany(61, shop.hookUrl)).toEqual({ 202: 60, 429: 1 })
  })

  test('exactly 60 of 100 concurrent requests pass', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(shop.hookUrl)))
    expect(countOf(answers.map(({ http }) => String(http)))).toEqual({ 202: 60, 429: 40 })
    expect((await whatIsStored(world, shop)).runs).toBe(60)
  })

  systemTest('duplicates and refused ones count; those of wrong type or size do not', async () => {
    const key = { 'idempotency-key': 'k' }
    const from = () => ({ 'x-forwarded-for': `198.19.0.${++addresses & 255}` })
    for (let time = 0; time < 10; time += 1) {
      await postHook(shop.hookUrl, ORDER, { ...key, ...from() })
      await postHook(shop.hookUrl, '{', from())
      await postHook(shop.hookUrl, '{}', { ...from(), 'idempotency-key': 'k'.repeat(201) })
      await postHook(shop.hookUrl, '{}', from())
      await postHook(shop.hookUrl, ORDER, { ...from(), 'content-type': 'text/plain' })
      await postHook(shop.hookUrl, 'x'.repeat(65_537), from())
      await fetch(shop.hookUrl, { headers: from() })
    }
    expect(await whatIsStored(world, shop)).toMatchObject({ ofUrl: 40, ofCompany: 40 })
    expect(await askMany(21, shop.hookUrl)).toEqual({ 202: 20, 429: 1 })
  })

  test('a reached limit refuses as `rate_limited`, and the key stays unused', async () => {
    await askMany(60, shop.hookUrl)
    const key = { 'idempotency-key': 'later', 'x-forwarded-for': '198.19.1.1' }
    expect(await postHook(shop.hookUrl, ORDER, key)).toMatchObject({
      http: 429,
      status: 'rate_limited',
      id: null,
    })
    world.clock.advance(60_000)
    expect(await postHook(shop.hookUrl, ORDER, key)).toMatchObject({ http: 202 })
    expect(await postHook(shop.hookUrl, ORDER, key)).toMatchObject({ http: 200 })
  })
})

describe("1,000 requests an hour to all of a company's hook URLs, in fixed clock hours", () => {
  test('the 1,000th passes, the 1,001st does not, whichever URL it is sent to', async () => {
    const second = (await addFlow(world, shop)).hookUrl
    await setHour(998)
    expect((await ask(shop.hookUrl)).http).toBe(202)
    expect((await ask(second)).http).toBe(202)
    expect((await ask(second)).http).toBe(429)
    expect((await ask(shop.hookUrl)).http).toBe(429)
    expect((await ask((await createOwnShop(world)).hookUrl)).http).toBe(202)
    world.clock.moveTo('2026-11-21T09:59:59.999Z')
    expect((await ask(shop.hookUrl)).http).toBe(429)
    world.clock.moveTo('2026-11-21T10:00:00.000Z')
    expect((await ask(shop.hookUrl)).http).toBe(202)
  })

  test('both counters move even when one of them refuses', async () => {
    await setHour(1_000)
    expect(await askMany(70, shop.hookUrl)).toEqual({ 429: 70 })
    expect(await whatIsStored(world, shop)).toMatchObject({ ofUrl: 70, ofCompany: 1_070 })
  })

  test('exactly the 30 that are left of 80 concurrent requests over two URLs pass', async () => {
    const second = (await addFlow(world, shop)).hookUrl
    await setHour(970)
    const asked = Array.from({ length: 80 }, (_, at) => ask(at % 2 ? second : shop.hookUrl))
    const answers = await Promise.all(asked)
    expect(countOf(answers.map(({ http }) => String(http)))).toEqual({ 202: 30, 429: 50 })
  })
})

describe('hooks paused on the service side', () => {
  afterEach(() => pauseHooks(world, false))

  test('the switch takes effect with the next request, both ways; meanwhile nothing counts', async () => {
    expect((await ask(shop.hookUrl)).http).toBe(202)
    const before = await whatIsStored(world, shop)
    await pauseHooks(world, true)
    expect(await askMany(70, shop.hookUrl)).toEqual({ 503: 70 })
    for (const token of [`hook_${'x'.repeat(43)}`, 'hook_x', '', 'a/b', '%ff', 'x'.repeat(5_000)]) {
      expect((await ask(`${world.url}/hooks/${token}`)).http).toBe(503)
    }
    expect(await whatIsStored(world, shop)).toEqual(before)
    await pauseHooks(world, false)
    expect((await ask(shop.hookUrl)).http).toBe(202)
    for (const token of ['hook_x', '', 'a/b', '%ff', 'x'.repeat(5_000)]) {
      expect((await ask(`${world.url}/hooks/${token}`)).http).toBe(404)
    }
  })
})

describe('requests that cannot be counted', () => {
  const COUNTERS = ['hook_url_count', 'company_hook_count'] as const
  test.each(COUNTERS)('without %s: 503, after 404, and nothing starts', async (table) => {
    const bringBack = await takeTableAway(world, table)
    try {
      const answer = await ask(shop.hookUrl)
      expect(answer).toMatchObject({ http: 503 })
      expect(JSON.parse(answer.text)).toMatchObject({ id: null, status: 'service_unavailable' })
      expect((await ask(`${world.url}/hooks/hook_${'x'.repeat(43)}`)).http).toBe(404)
      await pauseHooks(world, true)
      expect((await ask(`${world.url}/hooks/hook_${'x'.repeat(43)}`)).http).toBe(503)
    } finally {
      await pauseHooks(world, false)
      await bringBack()
    }
    expect(await whatIsStored(world, shop)).toMatchObject({ runs: 0, ofUrl: 0, shape: null })
    expect((await ask(shop.hookUrl)).http).toBe(202)
  })
})

describe('120 requests a minute of one client address to hook URLs', () => {
  const TOO_MANY = 'Too many requests'

  test('the 121st is plain text, before every other check, and counts for nothing', async () => {
    const address = '203.0.113.1'
    expect(await askMany(120, `${world.url}/hooks/none`, address)).toEqual({ 404: 120 })
    expect(await ask(shop.hookUrl, address)).toEqual({
      http: 429,
      type: 'text/plain; charset=utf-8',
      text: TOO_MANY,
    })
    const wrong = { method: 'PUT', headers: { 'x-forwarded-for': address } }
    expect(await (await fetch(shop.hookUrl, wrong)).text()).toBe(TOO_MANY)
    expect(await whatIsStored(world, shop)).toMatchObject({ ofUrl: 0, ofCompany: 0 })
    expect((await ask(shop.hookUrl)).http).toBe(202)
  })

  systemTest('it is shared by all hook URLs, and by nothing else of the service', async () => {
    const address = '203.0.113.2'
    const others = [await createOwnShop(world), await createOwnShop(world)]
    for (const other of others) await askMany(60, other.hookUrl, address)
    expect((await ask(shop.hookUrl, address)).text).toBe(TOO_MANY)
    const headers = { 'x-forwarded-for': address }
    expect((await fetch(`${world.url}/healthz`, { headers })).status).toBe(200)
  })

  test('the client’s address is the one that the trusted proxy names, in whatever form', async () => {
    await askMany(120, `${world.url}/hooks/none`, '::ffff:203.0.113.6')
    expect((await ask(shop.hookUrl, '1.2.3.4, 203.0.113.6')).text).toBe(TOO_MANY)
    expect((await ask(shop.hookUrl, '203.0.113.7')).http).toBe(202)
  })
})

describe('when the clock is put back', () => {
  test('requests that were counted after the new time are forgotten, in the minute and in the hour', async () => {
    world.clock.moveTo('2026-11-21T11:30:00.000Z')
    await setHour(1_000)
    expect(await askMany(61, shop.hookUrl)).toEqual({ 429: 61 })
    world.clock.moveTo('2026-11-21T09:30:00.000Z')
    expect((await ask(shop.hookUrl)).http).toBe(202)
    expect(await whatIsStored(world, shop)).toMatchObject({ ofUrl: 1, ofCompany: 1 })
  })

  test('a node that is a few seconds behind counts into the window that another has begun', async () => {
    world.clock.moveTo('2026-11-21T10:00:01.000Z')
    await setHour(990)
    expect(await askMany(5, shop.hookUrl)).toEqual({ 202: 5 })
    world.clock.moveTo('2026-11-21T09:59:58.000Z')
    expect(await askMany(10, shop.hookUrl)).toEqual({ 202: 5, 429: 5 })
    expect(await whatIsStored(world, shop)).toMatchObject({ ofUrl: 15, ofCompany: 1_005 })
    world.clock.moveTo('2026-11-21T10:00:02.000Z')
    expect(await whatIsStored(world, shop)).toMatchObject({ ofUrl: 15, ofCompany: 1_005 })
    expect((await ask(shop.hookUrl)).http).toBe(429)
  })
})
