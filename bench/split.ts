/**
 * The cost of splitting the service into processes that take requests and processes that work, compared with one process
 * that does both. The bench counts commits for each hook journey (hook, template, end of the run, receipts, three signed
 * events), those of them that write anything, and measures from the answer 202 to the template at WhatsApp. Then it
 * counts the hooks that are accepted in a second at full load, while their journeys go on. PostgreSQL is embedded, with
 * fsync.
 *
 *   npm run bench:split [-- HOOKS_A_SECOND [SECONDS [ROUNDS]]]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from '../src/app/config.ts'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import { createService } from '../src/app/create-service.ts'
import { postHook, orderOf } from '../test/support/post-hook.ts'
import { startTestReceiver } from '../test/support/receiver.ts'
import { createShop, ORDER_READY_STEPS } from '../test/support/shop.ts'
import { liftLimits, startWholeService } from './whole-service.ts'

const A_SECOND = Number(process.argv[2] ?? 30)
const SECONDS = Number(process.argv[3] ?? 10)
const ROUNDS = Number(process.argv[4] ?? 3)
const SHOPS = 16
const EVENTS = 3
const WARM = 60
const FULL_LOAD_HOOKS = 1_000
const FULL_LOAD_CONNECTIONS = 64
const ARRANGEMENTS = {
  'one process': null,
  'one and one': { http: 1, daemon: 1 },
  'two and two': { http: 2, daemon: 2 },
}

const folder = mkdtempSync(path.join(tmpdir(), 'wasla-bench-'))
const postgres = await startEmbeddedPostgres({ dataFolder: folder })
const { host, user, database } = postgres.connection
const databaseUrl = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
const receiver = await startTestReceiver()
const caFile = path.join(folder, 'ca.pem')
writeFileSync(caFile, receiver.certificate)
const env = {
  DATABASE_URL: databaseUrl,
  DATA_FOLDER: folder,
  DEMONSTRATION: 'off',
  EGRESS_ALLOW: '127.0.0.0/8',
  EXTRA_CA_FILE: caFile,
  LOG_LEVEL: 'warn',
  PORT: '0',
  TRUSTED_PROXIES: '127.0.0.0/8',
}
const { tell, finish } = ORDER_READY_STEPS
const builder = await createService(readConfig(env, [], folder))
const shops = await Promise.all(
  Array.from({ length: SHOPS }, (_, nth) =>
    createShop(
      { service: builder, receiver, url: '' },
      {
        phoneNumberId: `1000${nth}`,
        businessAccountId: `2000${nth}`,
        steps: { tell: { ...tell, next: 'finish' }, finish },
      },
    ),
  ),
)
await liftLimits(builder.context.db.pool)
await builder.stop()
const client = new pg.Client({ connectionString: databaseUrl })
await client.connect()

type Commits = { all: number; writing: number }

/**
 * Returns the transactions that were committed until now, once the sessions have reported theirs. A transaction that
 * writes has an id; one that reads or is notified has none.
 */
async function commits(): Promise<Commits> {
  await pause(11_000)
  const { rows } = await client.query<Commits>(
    `select xact_commit::int as all, pg_snapshot_xmax(pg_current_snapshot())::text::int as writing
    from pg_stat_database where datname = current_database()`,
  )
  return rows[0]!
}

let orders = 0
type Sent = { phone: string; answeredAt: number }

/** Posts one more order to the next process and the next shop. */
async function postOrder(origins: readonly string[]): Promise<Sent> {
  const order = (orders += 1)
  const { body, headers } = orderOf(order)
  const url = `${origins[order % origins.length]}/hooks/${shops[order % SHOPS]!.hookToken}`
  const { http } = await postHook(url, body, headers)
  if (http !== 202) throw new Error(`answered ${http}`)
  return { phone: body.customer.phone, answeredAt: performance.timeOrigin + performance.now() }
}

/** Posts the hooks at the rate, and waits until all of their events are received. */
async function load(origins: readonly string[], hooks: number): Promise<Sent[]> {
  const until = receiver.received.length + hooks * EVENTS
  const startedAt = performance.now()
  const posts: Promise<Sent>[] = []
  for (let nth = 0; nth < hooks; nth += 1) {
    const waitMs = startedAt + (nth * 1_000) / A_SECOND - performance.now()
    if (waitMs > 0) await pause(waitMs)
    posts.push(postOrder(origins))
  }
  const sent = await Promise.all(posts)
  await receivedAll(until)
  return sent
}

/** Posts hooks without pause, waits for their events, and returns how many hooks were accepted in a second. */
async function loadFully(origins: readonly string[]): Promise<number> {
  const until = receiver.received.length + FULL_LOAD_HOOKS * EVENTS
  const startedAt = performance.now()
  let left = FULL_LOAD_HOOKS
  const postOn = async () => {
    while ((left -= 1) >= 0) await postOrder(origins)
  }
  await Promise.all(Array.from({ length: FULL_LOAD_CONNECTIONS }, postOn))
  const seconds = (performance.now() - startedAt) / 1_000
  await receivedAll(until)
  return FULL_LOAD_HOOKS / seconds
}

async function receivedAll(events: number) {
  const endsAt = performance.now() + 120_000
  while (receiver.received.length < events) {
    if (performance.now() > endsAt) throw new Error('the journeys did not end')
    await pause(5)
  }
}

async function measure(split: { http: number; daemon: number } | null) {
  const { origins, simulator, stop } = await startWholeService(env, shops, {
    split,
    whatsApp: { stepMs: 0 },
  })
  await load(origins, WARM)
  const idleFrom = await commits()
  const before = await commits()
  const sent = await load(origins, A_SECOND * SECONDS)
  const after = await commits()
  const arrived = new Map(
    simulator.messages().map((one) => [one.to.replace('+', ''), one.at.getTime()]),
  )
  const accepted = await loadFully(origins)
  await stop()
  const delays = sent
    .map(({ phone, answeredAt }) => arrived.get(phone.slice(1))! - answeredAt)
    .toSorted((a, b) => a - b)
  const at = (share: number) => delays[Math.floor(delays.length * share)]!
  // What an idle service commits in the time of the load and of the wait for the counters is not the hooks'.
  const each = (kind: keyof Commits) => {
    const idle = ((before[kind] - idleFrom[kind]) / 11) * (SECONDS + 11)
    return ((after[kind] - before[kind] - idle) / sent.length).toFixed(1)
  }
  return { all: each('all'), writing: each('writing'), p50: at(0.5), p95: at(0.95), accepted }
}

try {
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [name, split] of Object.entries(ARRANGEMENTS)) {
      const { all, writing, p50, p95, accepted } = await measure(split)
      console.log(
        `${round} ${name}: ${all} commits a hook, ${writing} that write; 202 to template p50 ${p50.toFixed(0)}, p95 ${p95.toFixed(0)} ms; ${accepted.toFixed(0)} hooks accepted a second at full load`,
      )
    }
  }
} finally {
  await client.end()
  await receiver.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
