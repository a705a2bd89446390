/** The metrics that an operator's Prometheus reads, and that no other client can read. */
import { randomBytes, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../src/app/config.ts'
import { MINUTE_MS } from '../src/core/limits/units.ts'
import { createMetrics, type GaugeSources } from '../src/infra/metrics.ts'
import { createService } from '../src/app/create-service.ts'
import { postHook, ORDER } from './support/post-hook.ts'
import { connectionUrl, createWorld, type World } from './support/test-service.ts'
import { raisePings } from './support/deliveries.ts'
import { createShop } from './support/shop.ts'
import { systemTest } from './support/system-tests.ts'
import { openWorld } from './support/open-world.ts'

const TOKEN = 'a-token-of-the-operator-1'
const KEYS = `k1:${randomBytes(32).toString('base64')}`

const world = await openWorld({ metricsToken: TOKEN, encryptionKeys: KEYS })
const shop = await createShop(world)

async function scrape(of: World = world): Promise<Map<string, number>> {
  const response = await fetch(`${of.url}/metrics`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  return read(await response.text())
}

/** Each series with its value. */
function read(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}

describe('GET /metrics', () => {
  test.each<[string, Record<string, string>]>([
    ['without a token', {}],
    ['with another token', { authorization: 'Bearer a-token-of-the-operator-2' }],
    ['with a part of the token', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ['with a longer token', { authorization: `Bearer ${TOKEN}x` }],
    ['with no token after the word', { authorization: 'Bearer ' }],
    ['by another scheme', { authorization: `Basic ${TOKEN}` }],
    ['in the query', {}],
  ])('is not found without the right token: %s', async (how, headers) => {
    const query = how === 'in the query' ? `?token=${TOKEN}` : ''
    const response = await fetch(`${world.url}/metrics${query}`, { headers })
    expect(response.status).toBe(404)
    expect(await response.text()).not.toContain('wasla_')
  })

  test('is not found when no token is configured, whatever token the request carries', async () => {
    const other = await createWorld()
    onTestFinished(() => other.close())
    for (const authorization of ['Bearer ', 'Bearer null', `Bearer ${TOKEN}`]) {
      const response = await fetch(`${other.url}/metrics`, { headers: { authorization } })
      expect(response.status).toBe(404)
    }
  })

  test('counts hook answers by status, also those that were refused before anything', async () => {
    const before = await scrape()
    await postHook(shop.hookUrl, ORDER)
    await postHook(`${world.url}/hooks/hook_nobody`, ORDER)
    await fetch(shop.hookUrl)
    const after = await scrape()
    for (const status of ['accepted', 'not_found', 'method_not_allowed']) {
      const series = `wasla_hook_answers_total{status="${status}"}`
      expect(after.get(series)! - before.get(series)!).toBe(1)
    }
    expect(after.get('wasla_hook_answers_total{status="address_limited"}')).toBe(0)
  })

  systemTest('counts attempts by outcome and error, and measures them', async () => {
    // It has a separate company, since work of the first test may still be in progress.
    await world.service.processAll()
    const before = await scrape()
    const grown = (after: Map<string, number>, series: string) =>
      after.get(series)! - (before.get(series) ?? 0)
    await raisePings(world, shop)
    await world.service.processAll()
    world.receiver.answerWith(500)
    await raisePings(world, shop)
    await world.service.processAll()
    world.receiver.answerWith(204)
    const after = await scrape()
    const attempts = (outcome: string, error: string) =>
      grown(after, `wasla_delivery_attempts_total{outcome="${outcome}",error="${error}"}`)
    expect(attempts('delivered', 'none')).toBe(1)
    expect(attempts('failed', 'http_error')).toBe(1)
    expect(grown(after, 'wasla_delivery_attempt_seconds_count')).toBe(2)
    expect(grown(after, 'wasla_delivery_claim_to_send_seconds_count')).toBe(2)
    expect(grown(after, 'wasla_delivery_commit_to_first_attempt_seconds_count')).toBe(2)
    world.clock.advance(MINUTE_MS)
    await world.service.processAll()
    // A retry is not counted as a first attempt.
    const retried = await scrape()
    expect(grown(retried, 'wasla_delivery_attempt_seconds_count')).toBe(3)
    expect(grown(retried, 'wasla_delivery_commit_to_first_attempt_seconds_count')).toBe(2)
  })

  systemTest(
    'reports waiting deliveries: due, postponed, scheduled, held, and since when',
    async () => {
      await world.service.processAll()
      const [failing, off, retried] = [
        await createShop(world, { phoneNumberId: 'm-failing' }),
        await createShop(world, { phoneNumberId: 'm-off', plan: 'pro' }),
        await createShop(world, { phoneNumberId: 'm-retried' }),
      ]
      const { kysely } = world.database.db
      world.receiver.answerWith(500)
      await raisePings(world, retried)
      await world.service.processAll()
      world.receiver.answerWith(204)
      const fresh = await createShop(world, { phoneNumberId: 'm-fresh' })
      await raisePings(world, off)
      world.clock.advance(20_000)
      await raisePings(world, failing)
      await kysely
        .updateTable('endpointHealth')
        .set({ slots: 1 })
        .where('endpointId', '=', failing.endpointId)
        .execute()
      world.clock.advance(10_000)
      await raisePings(world, fresh, 2)
      world.clock.advance(5_000)
      const series = await scrape()
      const oldest = (state: string) =>
        series.get(`wasla_deliveries_oldest_seconds{state="${state}"}`)
      const waiting = (state: string) => series.get(`wasla_deliveries_waiting{state="${state}"}`)
      expect(series.get('wasla_database_read')).toBe(1)
      expect([oldest('due'), oldest('postponed'), oldest('held')]).toEqual([5, 15, 35])
      expect([waiting('due'), waiting('scheduled'), waiting('held')]).toEqual([3, 1, 1])
      await world.service.processAll()
      const done = await scrape()
      expect(done.get('wasla_deliveries_oldest_seconds{state="due"}')).toBe(0)
      expect(done.get('wasla_deliveries_waiting{state="due"}')).toBe(0)
    },
  )

  test('reports the process: in flight, connections, memory, event loop', async () => {
    const series = await scrape()
    expect(series.get('wasla_deliveries_in_flight')).toBe(0)
    expect(series.get('wasla_runs_in_flight')).toBe(0)
    for (const client of ['deliveries', 'calls']) {
      expect(series.get(`wasla_outbound_sockets{client="${client}",state="waiting"}`)).toBe(0)
    }
    expect(series.get('wasla_process_memory_bytes{kind="resident"}')).toBeGreaterThan(1e7)
    expect(series.get('wasla_event_loop_lag_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0)
  })

  test('contains no token, URL, phone number or name', async () => {
    await postHook(shop.hookUrl, ORDER)
    await world.service.processAll()
    const response = await fetch(`${world.url}/metrics`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    const text = await response.text()
    for (const secret of [TOKEN, shop.hookToken, shop.secret, '127.0.0.1', 'Shop', 'https:']) {
      expect(text).not.toContain(secret)
    }
    expect(text).not.toMatch(/\b\+?\d{11,15}\b(?!\.)(?=[^\n]*")|[0-9a-f]{8}-[0-9a-f]{4}/)
  })
})

test('a process that only works answers for its health and metrics alone', async () => {
  const service = await createService(
    readConfig(
      {
        DATABASE_URL: connectionUrl(world.database.connection),
        DATABASE_POOL: '4',
        ENCRYPTION_KEYS: KEYS,
        METRICS_TOKEN: TOKEN,
        LOG_LEVEL: 'silent',
        PORT: '0',
      },
      ['--only=daemon'],
      tmpdir(),
    ),
  )
  onTestFinished(() => service.stop())
  const url = `http://127.0.0.1:${await service.listen()}`
  const headers = { authorization: `Bearer ${TOKEN}` }
  const ask = (path: string, method = 'GET') => fetch(`${url}${path}`, { method, headers })
  expect((await ask('/readyz')).status).toBe(200)
  expect(await (await ask('/metrics')).text()).toContain('wasla_deliveries_in_flight 0')
  for (const [path, method] of [
    [`/hooks/${shop.hookToken}`, 'POST'],
    ['/webhooks/whatsapp', 'GET'],
    ['/api/session', 'GET'],
  ] as const) {
    expect((await ask(path, method)).status).toBe(404)
  }
})

describe('the metrics', () => {
  const sources: GaugeSources = {
    readWaiting: () => Promise.reject(new Error('away')),
    deliveriesInFlight: () => 3,
    runsInFlight: () => 2,
    outbound: { calls: () => ({ sockets: 5, idle: 1, waiting: 4 }) },
  }

  test('are written without the gauges of the database when it does not answer', async () => {
    const metrics = createMetrics()
    const series = read(await metrics.write(sources))
    metrics.stop()
    expect(series.get('wasla_database_read')).toBe(0)
    expect([...series.keys()].some((name) => name.includes('oldest'))).toBe(false)
    expect(series.get('wasla_deliveries_in_flight')).toBe(3)
    expect(series.get('wasla_outbound_sockets{client="calls",state="waiting"}')).toBe(4)
  })

  test('count two services in one process separately', async () => {
    const [one, other] = [createMetrics(), createMetrics()]
    one.hookAnswered('accepted')
    one.deliveries.leasesExpired(7)
    one.deliveries.recordedStale()
    const series = read(await one.write(sources))
    const others = read(await other.write(sources))
    one.stop()
    other.stop()
    expect(series.get('wasla_hook_answers_total{status="accepted"}')).toBe(1)
    expect(others.get('wasla_hook_answers_total{status="accepted"}')).toBe(0)
    expect(series.get('wasla_delivery_lease_expiries_total')).toBe(7)
    expect(series.get('wasla_delivery_late_settles_total')).toBe(1)
  })
})

test('a token that is too short to be one ends the start, and is not repeated', () => {
  const short = randomUUID().slice(0, 19)
  expect(() => readConfig({ METRICS_TOKEN: short }, [], '/tmp')).toThrow(/METRICS_TOKEN/)
  expect(() => readConfig({ METRICS_TOKEN: short }, [], '/tmp')).not.toThrow(short)
})
