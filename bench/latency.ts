/**
 * Measures how long a delivery waits, on embedded PostgreSQL with fsync and merchants in a second process over HTTPS.
 * Results are the time from commit to receipt at 30 and 200 events a second, with the CPU time of an event, and the
 * first receipts of a backlog, for a new and for an idle service.
 *
 *   npm run bench:latency [-- SECONDS [ROUNDS [BACKLOG]]]
 *
 * SECONDS of each rate, ROUNDS of BACKLOG deliveries that wait; 0 leaves a part out.
 */
import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ToRaise } from './delivery-service-process.ts'
import { close, db, empty, fill, hear, makeShops, report, start, stop } from './delivery-world.ts'
import { familyOf, parentOf, processorMs } from './process-costs.ts'

const SECONDS = Number(process.argv[2] ?? 10)
const ROUNDS = Number(process.argv[3] ?? 3)
const BACKLOG = Number(process.argv[4] ?? 6_000)
const PROGRAM = 'delivery-service-process.ts'

const { rows: backends } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(
  db.kysely,
)
const postmaster = parentOf(backends[0]!.pid)
const databaseMs = () => familyOf(postmaster).reduce((sum, one) => sum + processorMs(one), 0)
const costs = ({ pid }: ChildProcess) => ({ service: processorMs(pid!), database: databaseMs() })
const now = () => performance.timeOrigin + performance.now()
const at = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

/** Raises events at a rate, and prints the times from commit to receipt in ms. */
async function raise(child: ChildProcess, companyIds: string[], aSecond: number, seconds: number) {
  await report()
  const before = costs(child)
  const total = aSecond * seconds
  child.send({ companyIds, total, aSecond } satisfies ToRaise)
  const committed = (await hear(child)) as number[]
  // Outcomes are recorded meanwhile.
  await pause(500)
  const after = costs(child)
  const received = new Map(await report())
  const delays = committed.map((committedAt, nth) => (received.get(nth) ?? Infinity) - committedAt)
  const service = (after.service - before.service) / total
  const database = (after.database - before.database) / total
  console.log(
    `${aSecond}/s, commit to receipt: p50 ${at(delays, 0.5).toFixed(1)} ms, p95 ${at(delays, 0.95).toFixed(1)} ms,`,
    `p99 ${at(delays, 0.99).toFixed(1)} ms; an event: ${(service + database).toFixed(1)} ms of processor`,
    `(service ${service.toFixed(1)}, PostgreSQL ${database.toFixed(1)})`,
  )
}

/**
 * Prints the times until the first, the 100th and the last delivery of a backlog are received; all outcomes are
 * recorded then.
 */
async function reportBacklog(name: string, since: number) {
  for (;;) {
    await pause(20)
    const { rows } = await sql<{ isLeft: boolean }>`
      select exists (select from delivery_queue) as is_left
    `.execute(db.kysely)
    if (!rows[0]!.isLeft) break
  }
  const times = (await report())
    .map(([, receivedAt]) => receivedAt - since)
    .toSorted((a, b) => a - b)
  console.log(
    `${name}, ${BACKLOG} waiting: first ${times[0]!.toFixed(0)} ms, 100th ${times[99]!.toFixed(0)} ms,`,
    `all ${times.at(-1)!.toFixed(0)} ms`,
  )
}

try {
  const companyIds = await makeShops()
  if (SECONDS > 0) {
    const { child } = await start(PROGRAM)
    child.send('go')
    await raise(child, companyIds, 200, 2)
    console.log('(warming up until here)')
    await raise(child, companyIds, 30, SECONDS)
    await raise(child, companyIds, 200, SECONDS)
    await stop(child)
  }
  for (let round = 1; round <= ROUNDS; round += 1) {
    await empty()
    await fill(BACKLOG)
    await report()
    const { child } = await start(PROGRAM)
    const startedAt = now()
    child.send('go')
    await reportBacklog(`just started, ${round}`, startedAt)
    await pause(1_000)
    await fill(BACKLOG)
    const wokenAt = now()
    await sql`notify wasla_work, 'deliveries'`.execute(db.kysely)
    await reportBacklog(`idle, woken, ${round} `, wokenAt)
    await stop(child)
  }
} finally {
  await close()
}
