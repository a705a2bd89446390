/**
 * Measures deliveries, on embedded PostgreSQL with fsync and merchants in a second process over HTTPS. Results are
 * deliveries a second at full load, compared with `limit-deliveries` (the same rows and batches without rules), and
 * the time from commit to receipt at 200 events a second, also while a tenth of the endpoints hang. The last part is
 * the time of a claim with 10,000 and 1,000,000 waiting deliveries.
 *
 *   npm run bench:deliveries [-- DELIVERIES [ROUNDS [WAITING [PAIRS [SECONDS]]]]]
 *
 * PAIRS of rounds of SECONDS each, without and with hanging endpoints; 0 leaves a part out.
 */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { FIRST_ID } from '../src/infra/database/queues/queue.ts'
import { claimDeliveries } from '../src/modules/deliveries/claim-deliveries.sql.ts'
import type { ToRaise } from './delivery-service-process.ts'
import {
  answering,
  clock,
  close,
  db,
  empty,
  ENDPOINTS,
  fill,
  hanging,
  hear,
  ids,
  makeShops,
  report,
  start,
  stop,
} from './delivery-world.ts'

const DELIVERIES = Number(process.argv[2] ?? 6_000)
const ROUNDS = Number(process.argv[3] ?? 5)
const WAITING = Number(process.argv[4] ?? 1_000_000)
const PAIRS = Number(process.argv[5] ?? 9)
const SECONDS = Number(process.argv[6] ?? 30)
const EVENTS_A_SECOND = 200

const memoryMb = ({ pid }: ChildProcess) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid!}/status`, 'utf8'))![1]) / 1_024

/**
 * Returns deliveries a second, from the first claim to the last recorded outcome: of a new process with cold code and
 * no connections, and of the same process afterwards.
 */
async function fullLoad(program: string): Promise<Record<'cold' | 'warm' | 'memory', number>> {
  await empty()
  await fill(DELIVERIES)
  const { child } = await start(program)
  child.send('go')
  const cold = await allSettled()
  await fill(DELIVERIES)
  await sql`notify wasla_work, 'deliveries'`.execute(db.kysely)
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
      select exists (select from delivery_queue) as is_left
    `.execute(db.kysely)
    if (!rows[0]!.isLeft) return DELIVERIES / ((performance.now() - startedAt) / 1_000)
  }
}

/** Returns the times from commit to receipt at 200 events a second, in ms, of endpoints that respond. */
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

/** Returns the median time of a claim of 64 deliveries in ms. Each claim is rolled back. */
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
        const queues = [{ queue: 'first' as const, free: 64, after: FIRST_ID }]
        const { deliveries } = await claimDeliveries(tx, { claimId: ids.uuid(), now, queues })
        times.push(performance.now() - startedAt)
        throw new RolledBack(deliveries.length)
      })
      .catch((error: unknown) => {
        if (error instanceof RolledBack) return error.claimed
        throw error
      })
    if (claimed !== 64) throw new Error(`claimed ${String(claimed)}`)
  }
  return median(times)
}
class RolledBack extends Error {
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
  await close()
}
