/**
 * Deliveries of events, embedded PostgreSQL with fsync, merchants in a second process over HTTPS: how
 * many a second at full load, beside `limit-deliveries` (the same rows in the same batches, no rule);
 * from commit to receipt at 200 events a second; what that becomes for the others while a tenth of the
 * endpoints hang; and the time of a claim with 10,000 and with 1,000,000 deliveries waiting.
 *
 *   npm run bench:deliveries [-- DELIVERIES [ROUNDS [WAITING [PAIRS [SECONDS]]]]]
 *
 * PAIRS of rounds of SECONDS each, without and with hanging endpoints; 0 of anything leaves it out.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { generate } from 'selfsigned'
import { readConfig } from '../src/config.ts'
import { startEmbeddedPostgres } from '../src/database/embedded/start-embedded-postgres.ts'
import { transaction } from '../src/database/transaction.ts'
import { createService } from '../src/service.ts'
import { EVENT_TYPES } from '../src/vocabulary/events.ts'
import { FIRST_ID } from '../src/database/queues/queue.ts'
import { claimDeliveries } from '../src/deliveries/claim-deliveries.sql.ts'
import { createEndpoint } from '../src/endpoints/create-endpoint.ts'
import type { ToRaise } from './delivery-service-process.ts'

const DELIVERIES = Number(process.argv[2] ?? 6_000)
const ROUNDS = Number(process.argv[3] ?? 5)
const WAITING = Number(process.argv[4] ?? 1_000_000)
const PAIRS = Number(process.argv[5] ?? 9)
const SECONDS = Number(process.argv[6] ?? 30)
const ENDPOINTS = 200
const EVENTS_A_SECOND = 200

const folder = mkdtempSync(path.join(tmpdir(), 'wasla-bench-'))
const file = (name: string) => path.join(folder, name)
const made = await generate([{ name: 'commonName', value: 'bench' }], {
  keyType: 'ec',
  curve: 'P-256',
  extensions: [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
  ],
})
writeFileSync(file('key.pem'), made.private)
writeFileSync(file('cert.pem'), made.cert)
const postgres = await startEmbeddedPostgres({ dataFolder: folder })
const { host, user, database } = postgres.connection
const env = {
  PATH: process.env.PATH ?? '',
  DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
  DATA_FOLDER: folder,
  DEMONSTRATION: 'off',
  EGRESS_ALLOW: '127.0.0.0/8',
  EXTRA_CA_FILE: file('cert.pem'),
  KEY_FILE: file('key.pem'),
  CERT_FILE: file('cert.pem'),
  LOG_LEVEL: 'error',
  PORT: '0',
  // As `npm start` has them.
  NODE_OPTIONS: '--max-semi-space-size=8',
  NODE_COMPILE_CACHE: path.join(import.meta.dirname, '../node_modules/.cache/node'),
}
// Makes the tables, the shops and the events. Its daemon is never started.
const service = await createService(readConfig(env, [], folder))
const { db, ids, clock } = service.context

async function start(program: string) {
  const child = fork(path.join(import.meta.dirname, program), { env, execArgv: [] })
  return { child, first: await hear(child) }
}
/** Resolves to the next message of a process. Rejects where it ends without one. */
async function hear(child: ChildProcess): Promise<unknown> {
  const done = new AbortController()
  const { signal } = done
  const ended = once(child, 'exit', { signal }).then(([code]: unknown[]) => {
    throw new Error(`a process of the bench ended with ${String(code)}`)
  })
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [unknown]
    return message
  } finally {
    ended.catch(() => {})
    done.abort()
  }
}
async function stop(child: ChildProcess) {
  child.kill('SIGTERM')
  await once(child, 'exit')
}
const receiver = await start('delivery-receiver-process.ts')
const [answering, hanging] = (receiver.first as number[]).map(
  (port) => `https://127.0.0.1:${port}/events`,
)
async function report(): Promise<[number, number][]> {
  receiver.child.send('report')
  return (await hear(receiver.child)) as [number, number][]
}

/** 200 shops with an endpoint each, all at one server. */
async function makeShops(): Promise<string[]> {
  const companyIds: string[] = []
  for (let shop = 0; shop < ENDPOINTS; shop += 1) {
    const [accountId, companyId] = [ids.uuid(), ids.uuid()]
    const now = clock.now()
    await transaction(db, async (tx) => {
      await tx
        .insertInto('account')
        .values({ id: accountId, plan: 'business', createdAt: now })
        .execute()
      await tx
        .insertInto('company')
        .values({ id: companyId, accountId, name: 'Shop', createdAt: now })
        .execute()
      const { keyRing } = service
      await createEndpoint(
        tx,
        { ids, keyRing, now },
        { companyId, name: 'Bench', url: answering!, eventTypes: EVENT_TYPES },
      )
    })
    companyIds.push(companyId)
  }
  return companyIds
}

async function empty() {
  await sql`truncate webhook_delivery, delivery_attempt, event, event_body, delivery_hour
    cascade`.execute(db.kysely)
  await sql`update endpoint_health set failures_in_row = 0, failing_since = null, slots = 8`.execute(
    db.kysely,
  )
}

/** Deliveries that are due now, shared out over the endpoints. */
async function fill(count: number) {
  const now = clock.now()
  const body = Buffer.from(
    JSON.stringify({ data: { message: '0'.repeat(10) }, pad: 'x'.repeat(900) }),
  )
  for (let done = 0; done < count; done += 10_000) {
    await sql`
      with endpoint as (
        select id, company_id, row_number() over (order by id) - 1 as nth from endpoint
      ), raised as (
        insert into event (id, company_id, type, occurred_at)
        select new_uuid_v7(${now}), endpoint.company_id, 'ping', ${now}::timestamptz
        from generate_series(1, ${Math.min(10_000, count - done)}::int) as n
          join endpoint on endpoint.nth = n % ${ENDPOINTS}
        returning id, company_id
      ), body as (
        insert into event_body (id, api_version, body) select id, '2026-10', ${body} from raised
      )
      insert into webhook_delivery (id, company_id, endpoint_id, event_id, body_id, api_version,
        kind, state, lane, due_at, created_at)
      select new_uuid_v7(${now}), raised.company_id, endpoint.id, raised.id, raised.id, '2026-10',
        'event', 'pending', 'first', ${now}::timestamptz, ${now}
      from raised join endpoint using (company_id)
    `.execute(db.kysely)
  }
  await sql`vacuum analyze webhook_delivery`.execute(db.kysely)
  await sql`analyze event, event_body, endpoint, endpoint_secret`.execute(db.kysely)
}

const memoryMb = ({ pid }: ChildProcess) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid!}/status`, 'utf8'))![1]) / 1_024

/**
 * Deliveries a second, from the first claim to the last one settled: of a process that has just started,
 * its connections yet to be opened and its code yet to be warm, and of the same one after that.
 */
async function fullLoad(program: string): Promise<Record<'cold' | 'warm' | 'memory', number>> {
  await empty()
  await fill(DELIVERIES)
  const { child } = await start(program)
  child.send('go')
  const cold = await allSettled()
  await fill(DELIVERIES)
  await sql`notify wasla_work`.execute(db.kysely)
  const warm = await allSettled()
  const memory = memoryMb(child)
  await stop(child)
  if ((await report()).length < 2 * DELIVERIES) throw new Error('not all were received')
  return { cold, warm, memory }
}

async function allSettled(): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    await pause(20)
    const { rows } = await sql<{ isLeft: boolean }>`
      select exists (select from webhook_delivery where state <> 'delivered') as is_left
    `.execute(db.kysely)
    if (!rows[0]!.isLeft) return DELIVERIES / ((performance.now() - startedAt) / 1_000)
  }
}

/** From commit to receipt at 200 events a second, in ms, of endpoints that answer. */
async function delays(companyIds: string[], hangingShops: number): Promise<number[]> {
  await empty()
  const isHanging = new Set(companyIds.slice(0, hangingShops))
  await sql`update endpoint set is_on = true, off_at = null, off_reason = null,
    url = case when company_id = any(${[...isHanging]}::uuid[])
      then ${hanging!} else ${answering!} end`.execute(db.kysely)
  const { child } = await start('delivery-service-process.ts')
  child.send('go')
  await report()
  const total = EVENTS_A_SECOND * SECONDS
  child.send({ companyIds, total, aSecond: EVENTS_A_SECOND } satisfies ToRaise)
  const committed = (await hear(child)) as number[]
  await pause(2_000)
  const received = new Map(await report())
  await stop(child)
  const found: number[] = []
  // The first seconds are the process's own start.
  for (let nth = EVENTS_A_SECOND * 2; nth < total; nth += 1) {
    if (isHanging.has(companyIds[nth % companyIds.length]!)) continue
    found.push((received.get(nth) ?? Number.POSITIVE_INFINITY) - committed[nth]!)
  }
  return found
}

/** Ms of one claim of 64, undone each time. */
async function claimTime(waiting: number): Promise<number> {
  await empty()
  await fill(waiting)
  const times: number[] = []
  for (let nth = 0; nth < 41; nth += 1) {
    const claimed = await db.kysely
      .transaction()
      .execute(async (tx) => {
        const now = clock.now()
        const startedAt = performance.now()
        const lanes = [{ lane: 'first' as const, free: 64, after: FIRST_ID }]
        const { deliveries } = await claimDeliveries(tx, { claimId: ids.uuid(), now, lanes })
        times.push(performance.now() - startedAt)
        throw new Undone(deliveries.length)
      })
      .catch((error: unknown) => {
        if (error instanceof Undone) return error.claimed
        throw error
      })
    if (claimed !== 64) throw new Error(`claimed ${String(claimed)}`)
  }
  return median(times)
}
class Undone extends Error {
  readonly claimed: number
  constructor(claimed: number) {
    super()
    this.claimed = claimed
  }
}

const sorted = (values: number[]) => values.toSorted((a, b) => a - b)
const median = (values: number[]) => sorted(values)[values.length >> 1]!
const p95 = (values: number[]) => sorted(values)[Math.floor(values.length * 0.95)]!
const show = (value: number, digits = 1) => value.toFixed(digits)

try {
  const companyIds = await makeShops()
  type Load = Awaited<ReturnType<typeof fullLoad>>
  const loads: { wasla: Load; limit: Load }[] = []
  for (let round = 1; DELIVERIES > 0 && round <= ROUNDS; round += 1) {
    const limit = await fullLoad('limit-deliveries-process.ts')
    const wasla = await fullLoad('delivery-service-process.ts')
    loads.push({ wasla, limit })
    const rates = ({ cold, warm, memory }: Load) =>
      `${show(cold, 0)}/s, then ${show(warm, 0)}/s, ${show(memory, 0)} MB`
    console.log(`full load ${round}: wasla ${rates(wasla)}; limit-deliveries ${rates(limit)}`)
  }
  const pairs: { calm: number; hung: number; calmP50: number }[] = []
  for (let round = 1; round <= PAIRS; round += 1) {
    const calm = await delays(companyIds, 0)
    const hung = await delays(companyIds, ENDPOINTS / 10)
    pairs.push({ calm: p95(calm), hung: p95(hung), calmP50: median(calm) })
    console.log(
      `commit to receipt ${round}: p50 ${show(median(calm))} ms, p95 ${show(p95(calm))} ms;`,
      `with a tenth hanging p50 ${show(median(hung))} ms, p95 ${show(p95(hung))} ms`,
    )
  }
  console.log('medians')
  if (loads.length > 0) {
    for (const key of ['cold', 'warm'] as const) {
      const [rate, share] = [
        median(loads.map(({ wasla }) => wasla[key])),
        median(loads.map(({ wasla, limit }) => wasla[key] / limit[key])),
      ]
      console.log(
        `  deliveries a second, ${key}  ${show(rate, 0)}, of limit-deliveries ${show(share, 2)}`,
      )
    }
    console.log(
      `  memory MB                ${show(median(loads.map(({ wasla }) => wasla.memory)), 0)}`,
    )
  }
  if (pairs.length > 0) {
    console.log(`  commit to receipt p50 ms ${show(median(pairs.map((l) => l.calmP50)))}`)
    console.log(`  commit to receipt p95 ms ${show(median(pairs.map((l) => l.calm)))}`)
    console.log(`  with a tenth hanging     ${show(median(pairs.map((l) => l.hung / l.calm)), 2)}`)
  }
  if (WAITING > 0) {
    const few = await claimTime(10_000)
    const many = await claimTime(WAITING)
    console.log(`  claim of 64: ${show(few, 2)} ms of 10,000, ${show(many, 2)} ms of ${WAITING}`)
  }
} finally {
  await stop(receiver.child).catch(() => {})
  await service.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
