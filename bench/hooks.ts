/**
 * Measures accepted hook requests a second, every check on, with embedded PostgreSQL with fsync and load from a
 * second process. Comparisons in the same run are `limit-hooks` (the same rows in the same batches without rules),
 * one transaction a request, and a flood of refused requests.
 *
 *   npm run bench:hooks [-- REQUESTS [ROUNDS]]
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { readConfig } from '../src/app/config.ts'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import { tokenHash } from '../src/infra/secrets/token-hash.ts'
import { createService } from '../src/app/create-service.ts'
import { startTestReceiver } from '../test/support/receiver.ts'
import { createShop } from '../test/support/shop.ts'
import { familyOf, parentOf, peakMemory, processorMs } from './process-costs.ts'

const REQUESTS = Number(process.argv[2] ?? 10_000)
const ROUNDS = Number(process.argv[3] ?? 5)
/** Number of companies, so that no URL exceeds 60 requests a minute and no company 1,000 an hour. */
const COMPANIES = 60
const FLOWS_A_COMPANY = 20

const folder = mkdtempSync(path.join(tmpdir(), 'wasla-bench-'))
const postgres = await startEmbeddedPostgres({ dataFolder: folder })
const { host, user, database } = postgres.connection
const env = {
  PATH: process.env.PATH ?? '',
  DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
  DATA_FOLDER: folder,
  DEMONSTRATION: 'off',
  TRUSTED_PROXIES: '127.0.0.0/8',
  LOG_LEVEL: 'error',
  PORT: '0',
  // As `npm start` has them.
  NODE_OPTIONS: '--max-semi-space-size=8',
  NODE_COMPILE_CACHE: path.join(import.meta.dirname, '../node_modules/.cache/node'),
}
const tokensFile = path.join(folder, 'tokens')

async function makeShops() {
  const service = await createService(readConfig(env, [], folder))
  const receiver = await startTestReceiver()
  const tokens: string[] = []
  const { db, ids } = service.context
  for (let company = 0; company < COMPANIES; company += 1) {
    const shop = await createShop({ service, receiver, url: '' }, { phoneNumberId: `${company}` })
    tokens.push(shop.hookToken)
    for (let flow = 1; flow < FLOWS_A_COMPANY; flow += 1) {
      const token = `hook_${ids.token(32)}`
      tokens.push(token)
      await db.pool.query(
        `with made as (
            insert into flow (id, company_id, name, published_version_id, first_published_at,
              created_at, updated_at)
            select $2, company_id, name, published_version_id, first_published_at, created_at,
              updated_at from flow where id = $1 returning id, company_id, created_at
          )
          insert into hook_url (id, company_id, flow_id, token_hash, token_last_four, created_at)
          select $3, company_id, id, $4, $5, created_at from made`,
        [shop.flowId, ids.uuid(), ids.uuid(), tokenHash(token), token.slice(-4)],
      )
    }
  }
  await db.pool.query('update account set templates_per_day = 1000000')
  await receiver.close()
  await service.stop()
  writeFileSync(tokensFile, tokens.join('\n'))
}

function run(program: string, change: Record<string, string>) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, program)], {
    env: { ...env, ...change },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  return {
    pid: child.pid!,
    firstLine: new Promise<string>((resolve, reject) => {
      lines.once('line', resolve)
      child.once('exit', () => reject(new Error(`${program} ended`)))
    }),
    async stop() {
      child.kill('SIGTERM')
      await new Promise((end) => child.once('exit', end))
    },
  }
}

type Result = {
  rate: number
  p50: number
  p99: number
  accepted: number
  answers: Record<string, number>
  refused: number
  memoryMb: number
  /** The cost of an accepted request in the program and in PostgreSQL, in ms of CPU time. */
  programMs: number
  databaseMs: number
}

let prefix = 10
/** Measures one program under one load, in a new process each time, so that none is warm. */
async function measure(program: string, change: Record<string, string> = {}): Promise<Result> {
  // Windows of earlier loads are over.
  await query('delete from hook_url_count; delete from company_hook_count')
  const server = run(program, change)
  const origin = `http://127.0.0.1:${(await server.firstLine).split(' ')[1]}`
  const load = async (requests: number) => {
    prefix += 1
    const one = run('hook-load-process.ts', {
      ORIGIN: origin,
      TOKENS_FILE: tokensFile,
      PREFIX: String(prefix),
      REQUESTS: String(requests),
      ...(change.FLOOD ? { FLOOD: '1' } : {}),
    })
    return JSON.parse(await one.firstLine) as Omit<Result, 'memoryMb' | 'programMs' | 'databaseMs'>
  }
  await load(1_500)
  await query('delete from hook_url_count; delete from company_hook_count')
  const before = await costs(server.pid)
  const result = await load(REQUESTS)
  const after = await costs(server.pid)
  const memoryMb = peakMemory(server.pid)
  await server.stop()
  if (result.accepted !== REQUESTS) throw new Error(`not all accepted: ${JSON.stringify(result)}`)
  const programMs = (after.programMs - before.programMs) / REQUESTS
  const databaseMs = (after.databaseMs - before.databaseMs) / REQUESTS
  return { ...result, memoryMb, programMs, databaseMs }
}

/** Returns the CPU time of the program and of PostgreSQL until now. */
async function costs(pid: number) {
  const databaseMs = await withClient(async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return familyOf(parentOf(rows[0]!.pid)).reduce((sum, one) => sum + processorMs(one), 0)
  })
  return { programMs: processorMs(pid), databaseMs }
}

const query = (sql: string) => withClient((client) => client.query(sql))

async function withClient<Answer>(work: (client: pg.Client) => Promise<Answer>): Promise<Answer> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
const show = ({ rate, p50, p99, memoryMb, programMs, databaseMs }: Result) =>
  `${rate.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${memoryMb.toFixed(0)} MB, ` +
  `processor ${programMs.toFixed(2)} + ${databaseMs.toFixed(2)} ms a request`

try {
  await makeShops()
  const rounds: Record<'wasla' | 'limit' | 'single' | 'flooded', Result>[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const limit = await measure('limit-hooks-process.ts')
    const wasla = await measure('hook-service-process.ts')
    const single = await measure('hook-service-process.ts', { BATCH: '1' })
    const flooded = await measure('hook-service-process.ts', { FLOOD: '1' })
    rounds.push({ wasla, limit, single, flooded })
    console.log(`round ${round}`)
    console.log(`  wasla                      ${show(wasla)}`)
    console.log(`  limit-hooks                ${show(limit)}`)
    console.log(`  one transaction a request  ${show(single)}`)
    console.log(`  wasla, flooded             ${show(flooded)}, ${flooded.refused} refused`)
  }
  const ratio = (of: (round: (typeof rounds)[number]) => number) =>
    median(rounds.map(of)).toFixed(2)
  console.log(`medians of ${ROUNDS} rounds of ${REQUESTS} requests over 64 connections`)
  console.log(`  of limit-hooks                ${ratio((r) => r.wasla.rate / r.limit.rate)}`)
  console.log(`  of one transaction a request  ${ratio((r) => r.wasla.rate / r.single.rate)}`)
  console.log(`  flooded, of not flooded       ${ratio((r) => r.flooded.rate / r.wasla.rate)}`)
  console.log(`  accepted a second             ${ratio((r) => r.wasla.rate)}`)
  console.log(`  p99 ms                        ${ratio((r) => r.wasla.p99)}`)
  console.log(`  memory MB                     ${ratio((r) => r.wasla.memoryMb)}`)
  console.log(`  processor ms of the service   ${ratio((r) => r.wasla.programMs)}`)
  console.log(`  processor ms of PostgreSQL    ${ratio((r) => r.wasla.databaseMs)}`)
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
