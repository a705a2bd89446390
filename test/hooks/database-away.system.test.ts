/**
 * PostgreSQL becomes unavailable and returns. Meanwhile every request is answered 503 within 2 s, and no
 * refused request starts a run. Requests are accepted again within 2 s of its return.
 */
import { execFileSync } from 'node:child_process'
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, test, inject } from 'vitest'
import { createHookBatcher, HOOK_BATCHER } from '../../src/modules/hooks/hook-batcher.ts'
import { createAddressLimit } from '../../src/http/ip-rate-limiter.ts'
import { startPrivateDatabase } from '../conformance/private-database.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { createShop } from '../support/shop.ts'
import { createWorldOn } from '../support/world.ts'
import { whatIsStored } from '../support/records/hooks.ts'
import { runsOf } from '../support/records/runs.ts'
import { repeatWhile, waitUntil } from '../support/wait.ts'
import { startStopwatch } from '../support/stopwatch.ts'

const WITHIN_MS = 2_000

const database = await startPrivateDatabase(inject('cluster'))
const world = await createWorldOn(database, {
  databasePool: '8',
  addressLimit: createAddressLimit(),
  hookBatcher: HOOK_BATCHER,
  trustedProxies: '127.0.0.0/8',
})
const shop = await createShop(world)
afterAll(() => world.close())
beforeEach(async () => {
  world.clock.advance(60_000)
  // The pool has open connections, which end together with the server.
  await Promise.all(Array.from({ length: 8 }, () => ask()))
})

let addresses = 0
async function ask() {
  addresses += 1
  const tookMs = startStopwatch()
  const headers = {
    'x-forwarded-for': `198.18.${addresses >> 8}.${addresses & 255}`,
    'idempotency-key': `order-${addresses}`,
  }
  const answer = await postHook(shop.hookUrl, ORDER, headers)
  return { ...answer, key: headers['idempotency-key'], tookMs: tookMs() }
}

async function postmasterPid(): Promise<number> {
  const { rows } = await database.db.pool.query<{ lines: string }>(
    `select pg_read_file('postmaster.pid') as lines`,
  )
  return Number(rows[0]!.lines.split('\n', 1)[0])
}

/**
 * Returns a process of the server that does not end with it. No other server starts on the data until it is
 * killed, so that the outage lasts as long as the test says.
 */
async function stoppedConnection(): Promise<number> {
  const client = new pg.Client(database.connection)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  process.kill(rows[0]!.pid, 'SIGSTOP')
  return rows[0]!.pid
}

/** Connects directly, without the service, until the server serves again. */
async function returned(readMs: () => number): Promise<number> {
  await waitUntil('the server serves again', async () => {
    const client = new pg.Client({ ...database.connection, connectionTimeoutMillis: 200 })
    client.on('error', () => {})
    try {
      await client.connect()
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  })
  return readMs()
}

/** Returns every process of the server: stopping them all is like a network that drops all packets. */
function processesOf(postmaster: number): number[] {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)]).toString()
  return [postmaster, ...children.trim().split(/\s+/).map(Number)]
}

/** Sends requests until one is accepted. */
async function accepted(readMs: () => number): Promise<number> {
  const isAccepted = async () => {
    const answer = await ask()
    if (answer.http === 202) return true
    expect(answer).toMatchObject({ http: 503, status: 'service_unavailable', id: null })
    return false
  }
  await waitUntil('a request is accepted', isAccepted, { everyMs: 50 })
  return readMs()
}

describe('while PostgreSQL is unavailable', () => {
  test('answers 503 immediately when it was killed, and accepts within 2 s of its return', async () => {
    const last = await stoppedConnection()
    process.kill(await postmasterPid(), 'SIGKILL')
    // Fewer than a URL's requests of a minute: some may still be counted.
    world.clock.advance(60_000)
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask()))
    const isServing = () => answers.at(-1)!.http !== 503
    await repeatWhile('answers beside a killed server', isServing, async () => {
      world.clock.advance(60_000)
      answers.push(await ask())
    })
    world.clock.advance(60_000)
    for (const { http, tookMs } of answers) {
      expect([202, 503]).toContain(http)
      expect(tookMs).toBeLessThan(WITHIN_MS)
    }
    process.kill(last, 'SIGKILL')
    const readMs = startStopwatch()
    const [back, served] = await Promise.all([returned(readMs), accepted(readMs)])
    expect(served - back).toBeLessThan(WITHIN_MS)
    // A commit that was in progress when the server died may have been made: its key then answers with the run.
    await expectTold(answers.filter(({ http }) => http === 202))
  })

  test('answers 503 within 2 s when it is silent, starts nothing later, and accepts when it responds again', async () => {
    const stopped = processesOf(await postmasterPid())
    const before = await whatIsStored(world, shop)
    for (const pid of stopped) process.kill(pid, 'SIGSTOP')
    let answers: Awaited<ReturnType<typeof ask>>[]
    try {
      // Some requests arrive while others wait already.
      const first = Array.from({ length: 30 }, () => ask())
      await new Promise((resolve) => setTimeout(resolve, 400))
      answers = await Promise.all([...first, ...Array.from({ length: 30 }, () => ask())])
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT')
    }
    const sinceBackMs = startStopwatch()
    for (const answer of answers) {
      expect(answer).toMatchObject({ http: 503, status: 'service_unavailable', id: null })
      expect(answer.tookMs).toBeLessThan(WITHIN_MS)
    }
    world.clock.advance(60_000)
    expect(await accepted(sinceBackMs)).toBeLessThan(WITHIN_MS)
    expect((await whatIsStored(world, shop)).runs).toBe(before.runs + 1)
    await expectTold(answers)
  })

  test('answers 503 within 2 s when it is silent during the first read of a flow', async () => {
    const readVersion = () => new Promise<never>(() => {})
    const answer = createHookBatcher({ ...world.service.context, readVersion })
    const tookMs = startStopwatch()
    const body = Buffer.from(JSON.stringify(ORDER))
    expect(await answer({ token: shop.hookToken, idempotencyKey: undefined, body })).toMatchObject({
      status: 'service_unavailable',
      id: null,
    })
    expect(tookMs()).toBeLessThan(WITHIN_MS)
  })
})

/** Checks that the runs of accepted requests exist, and that the keys of refused ones are unused. */
async function expectTold(answers: Awaited<ReturnType<typeof ask>>[]) {
  const runs = await runsOf(world, shop)
  for (const { http, id, key } of answers) {
    expect(runs.find((run) => run.idempotencyKey === key)?.id ?? null).toBe(
      http === 202 ? id : null,
    )
  }
}
