/**
 * A comparison of the service's deliveries with workers on BullMQ, graphile-worker and pg-boss (`bench/peers/`). Each
 * worker signs and posts 64 jobs concurrently over HTTPS, with retries, to the same 200 endpoints. RESULTS.md says what
 * is measured. A round needs `redis-server` for BullMQ and leaves BullMQ out otherwise.
 *
 *   npm run bench:peers [-- DELIVERIES [ROUNDS [SECONDS]]]
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  answering,
  close,
  db,
  empty,
  ENDPOINTS,
  env,
  file,
  fill,
  hanging,
  hear,
  makeShops,
  report,
  start,
  stop,
} from './delivery-world.ts'
import { familyOf, memoryNow, parentOf, processorMs } from './process-costs.ts'

const DELIVERIES = Number(process.argv[2] ?? 6_000)
const ROUNDS = Number(process.argv[3] ?? 5)
const SECONDS = Number(process.argv[4] ?? 20)
const A_SECOND = 200
const HANGING = ENDPOINTS / 10
/** The maximum time for a backlog. After it the deliveries that were received count. */
const DRAINED_WITHIN_MS = 60_000
/** The time in which the outcomes of the last deliveries are recorded. */
const SETTLED_WITHIN_MS = 1_500

type Peer = {
  name: string
  program: string
  /** Removes the data of earlier rounds. */
  reset(): Promise<unknown>
  /** Adds a backlog for a process that is not working, or that looks for it after `go`. */
  fill(child: ChildProcess, count: number): Promise<unknown>
  go(child: ChildProcess): Promise<unknown>
  raise(child: ChildProcess, total: number, hangingShops: number): Promise<number[]>
}

const now = () => performance.timeOrigin + performance.now()
const urlsOf = (hangingShops: number) =>
  Array.from({ length: ENDPOINTS }, (_, nth) => (nth < hangingShops ? hanging! : answering!))

async function say(child: ChildProcess, message: object): Promise<unknown> {
  child.send(message)
  return hear(child)
}

function library(name: string, reset: () => Promise<unknown>, program = name): Peer {
  return {
    name,
    program: `peers/${program}.mjs`,
    reset,
    fill: (child, count) => say(child, { kind: 'fill', urls: urlsOf(0), count }),
    go: (child) => say(child, { kind: 'go' }),
    raise: async (child, total, hangingShops) =>
      (await say(child, {
        kind: 'raise',
        urls: urlsOf(hangingShops),
        total,
        aSecond: A_SECOND,
      })) as number[],
  }
}

function wasla(companyIds: string[]): Peer {
  return {
    name: 'wasla',
    program: 'delivery-service-process.ts',
    reset: empty,
    fill: (_child, count) => fill(count),
    async go(child) {
      child.send('go')
      await sql`notify wasla_work, 'deliveries'`.execute(db.kysely)
    },
    async raise(child, total, hangingShops) {
      const hung = companyIds.slice(0, hangingShops)
      await sql`update endpoint set is_on = true, off_at = null, off_reason = null,
        url = case when company_id = any(${hung}::uuid[]) then ${hanging!} else ${answering!} end`.execute(
        db.kysely,
      )
      return (await say(child, { companyIds, total, aSecond: A_SECOND })) as number[]
    },
  }
}

/** Waits until `count` deliveries are received, and returns the time of each. */
async function drained(count: number): Promise<number[]> {
  const until = now() + DRAINED_WITHIN_MS
  const times: number[] = []
  while (times.length < count && now() < until) {
    await pause(20)
    times.push(...(await report()).map(([, at]) => at))
  }
  return times.toSorted((a, b) => a - b)
}

type Figures = Record<string, number>

async function measure(peer: Peer, stores: () => number[]): Promise<Figures> {
  const cost = ({ pid }: ChildProcess) =>
    [pid!, ...stores()].reduce((sum, one) => sum + processorMs(one), 0)
  const figures: Figures = {}

  async function drain(child: ChildProcess, kind: 'cold' | 'warm') {
    await report()
    const before = cost(child)
    const since = now()
    await peer.go(child)
    const times = await drained(DELIVERIES)
    await pause(SETTLED_WITHIN_MS)
    const seconds = (times.at(-1)! - times[0]!) / 1_000
    figures[`${kind} /s`] = times.length / seconds
    figures[`${kind} first ms`] = times[0]! - since
    figures[`${kind} cpu ms`] = (cost(child) - before) / times.length
  }

  await peer.reset()
  const filling = await start(peer.program)
  await peer.fill(filling.child, DELIVERIES)
  await stop(filling.child)
  const { child } = await start(peer.program)
  await drain(child, 'cold')
  await peer.fill(child, DELIVERIES)
  await drain(child, 'warm')
  figures['memory MB'] = memoryNow(child.pid!)
  await stop(child)

  for (const hangingShops of [0, HANGING]) {
    await peer.reset()
    const { child: raising } = await start(peer.program)
    await peer.go(raising)
    await report()
    const before = cost(raising)
    const total = A_SECOND * SECONDS
    const accepted = await peer.raise(raising, total, hangingShops)
    await pause(4_000)
    const received = new Map(await report())
    const delays: number[] = []
    // The first seconds are the process's own start.
    for (let nth = A_SECOND * 2; nth < total; nth += 1) {
      if (nth % ENDPOINTS < hangingShops) continue
      delays.push((received.get(nth) ?? Number.POSITIVE_INFINITY) - accepted[nth]!)
    }
    delays.sort((a, b) => a - b)
    const name = hangingShops > 0 ? 'hanging' : '200/s'
    figures[`${name} p50 ms`] = delays[delays.length >> 1]!
    figures[`${name} p95 ms`] = delays[Math.floor(delays.length * 0.95)]!
    figures[`${name} late`] = delays.filter((delay) => delay === Number.POSITIVE_INFINITY).length
    if (hangingShops === 0) figures['200/s cpu ms'] = (cost(raising) - before) / total
    await stop(raising)
  }
  return figures
}

function startRedis(): ChildProcess | null {
  if (spawnSync('redis-server', ['--version']).error) return null
  const socket = file('redis.sock')
  env.REDIS_SOCKET = socket
  const options = { port: '0', unixsocket: socket, dir: file('.'), appendonly: 'yes', save: '' }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  return spawn('redis-server', args, { stdio: 'ignore' })
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
const redis = startRedis()
try {
  const companyIds = await makeShops()
  while (redis && !existsSync(env.REDIS_SOCKET!)) await pause(20)
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db.kysely)
  const postmaster = parentOf(rows[0]!.pid)
  const schema = (name: string) => () =>
    sql.raw(`drop schema if exists ${name} cascade`).execute(db.kysely)
  const peers = [
    wasla(companyIds),
    ...(redis
      ? [
          library('bullmq', async () =>
            spawnSync('redis-cli', ['-s', env.REDIS_SOCKET!, 'flushall']),
          ),
        ]
      : []),
    library('graphile-worker', schema('graphile_worker')),
    library('graphile-worker, tuned', schema('graphile_worker'), 'graphile-worker-tuned'),
    library('pg-boss', schema('pgboss')),
  ]
  if (!redis) console.log('There is no redis-server: BullMQ is left out.')
  const all = new Map<string, Figures[]>()
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const peer of peers) {
      const stores = () => (peer.name === 'bullmq' ? [redis!.pid!] : familyOf(postmaster))
      const figures = await measure(peer, stores)
      all.set(peer.name, [...(all.get(peer.name) ?? []), figures])
      const shown = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(1)}`)
      console.log(`${round} ${peer.name}: ${shown.join(', ')}`)
    }
  }
  console.log(`medians of ${ROUNDS} rounds of ${DELIVERIES} deliveries`)
  for (const name of Object.keys(all.get('wasla')![0]!)) {
    const values = [...all].map(
      ([peer, rounds]) => `${peer} ${median(rounds.map((one) => one[name]!)).toFixed(1)}`,
    )
    console.log(`  ${name.padEnd(15)} ${values.join(', ')}`)
  }
} finally {
  redis?.kill()
  await close()
}
