/**
 * Measures 500 concurrent runs that each call a merchant's API with a response time of 50 ms. The ideal is the slower
 * of two measurements: the same runs with an instant call (the database), and 500 requests by the outbound client
 * (the API). Then single calls to an instant API are compared: by bare undici, by the outbound client, by the caller.
 *
 *   npm run bench:calls [-- ROUNDS]
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Agent, request } from 'undici'
import { readConfig } from '../src/app/config.ts'
import { makeCall, type Call, type CompletedCall } from '../src/modules/connections/make-call.ts'
import { startLoop } from '../src/workers/worker-loop.ts'
import { createFlowRunsWorker } from '../src/workers/flow-runs.ts'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import { createVersionReader } from '../src/modules/flows/design/load-version.ts'
import { CALL_LIMITS } from '../src/core/limits/calls.ts'
import { RUN_LIMITS } from '../src/core/limits/flows.ts'
import { createOutboundClient } from '../src/infra/egress/outbound-client.ts'
import { createService } from '../src/app/create-service.ts'
import { postHook, ORDER } from '../test/support/post-hook.ts'
import { startTestReceiver } from '../test/support/receiver.ts'
import { callStep, connectApi } from '../test/support/shop-api.ts'
import { createShop } from '../test/support/shop.ts'

const ROUNDS = Number(process.argv[2] ?? 5)
const RUNS = 500
const CALLS = 1_000
/** The number of sockets in production. */
const SOCKETS = 32

const folder = mkdtempSync(path.join(tmpdir(), 'wasla-bench-'))
const postgres = await startEmbeddedPostgres({ dataFolder: folder })
const { host, user, database } = postgres.connection
const receiver = await startTestReceiver()
const caFile = path.join(folder, 'ca.pem')
writeFileSync(caFile, receiver.certificate)
const api = spawn(process.execPath, [path.join(import.meta.dirname, 'merchant-api-process.ts')], {
  env: { PATH: process.env.PATH, CERTIFICATE: receiver.certificate, KEY: receiver.authority.key },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const ready = await new Promise<string>((resolve) =>
  createInterface({ input: api.stdout }).once('line', resolve),
)
const baseUrl = `https://127.0.0.1:${ready.split(' ')[1]}/api`

const service = await createService(
  readConfig(
    {
      DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
      DATA_FOLDER: folder,
      DEMONSTRATION: 'off',
      EGRESS_ALLOW: '127.0.0.0/8',
      EXTRA_CA_FILE: caFile,
      TRUSTED_PROXIES: '127.0.0.0/8',
      LOG_LEVEL: 'error',
      PORT: '0',
    },
    [],
    folder,
  ),
)
const { context, keyRing } = service
const url = `http://127.0.0.1:${await service.listen()}`
const newOutbound = () =>
  createOutboundClient({
    resolve: () => Promise.reject(new Error('an address needs no look-up')),
    isAllowedAddress: () => true,
    maxSocketsPerOrigin: SOCKETS,
    extraCa: [receiver.certificate],
  })
const outbound = newOutbound()
const deps = { ...context, keyRing, outbound }

const connectionId = context.ids.uuid()
const call = callStep(connectionId, { path: '/slow' }, { next: null, onFailure: null })
const shop = await createShop(
  { service, receiver, url },
  { steps: { call }, start: 'call', eventTypes: ['ping'] },
)
await connectApi({ service }, { id: connectionId, companyId: shop.companyId, baseUrl })
// The limit of requests per minute is not measured here.
await context.db.pool.query(`
  create function forget() returns trigger language plpgsql
    as $$ begin if tg_table_name = 'call_day' then new.made := 0; else new.requests := 0; end if;
      return new; end $$;
  create trigger forget before insert or update on hook_url_count
    for each row execute function forget();
  create trigger forget before insert or update on company_hook_count
    for each row execute function forget();
  create trigger forget before insert or update on call_day
    for each row execute function forget()`)

let customers = 0
async function queueRuns() {
  const asks = Array.from({ length: RUNS }, () => {
    customers += 1
    const phone = `+9665${String(10_000_000 + customers)}`
    const from = { 'x-forwarded-for': `198.18.${customers >> 6}.${customers & 63}` }
    return postHook(shop.hookUrl, { ...ORDER, customer: { ...ORDER.customer, phone } }, from)
  })
  const answers = await Promise.all(asks)
  if (answers.some(({ http }) => http !== 202)) throw new Error('not all were accepted')
}

/** Returns the milliseconds until all queued runs have ended, with the worker in its loop as in the service. */
async function takeRuns(make: (call: Call) => Promise<CompletedCall>): Promise<number> {
  await queueRuns()
  const worker = createFlowRunsWorker(context, {
    readVersion: createVersionReader(),
    eagerClaimFor: () => null,
    publicUrl: () => 'http://localhost',
    dispatchMessages: () => {},
    makeCall: make,
    claimId: context.ids.uuid,
    onProgress: () => loop?.notify(),
  })
  const from = performance.now()
  const loop: ReturnType<typeof startLoop> | null = startLoop(worker, context)
  for (;;) {
    const { rows } = await context.db.pool.query<{ left: boolean }>(
      'select exists (select from flow_run where ended_at is null) as left',
    )
    if (!rows[0]!.left) break
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const took = performance.now() - from
  await loop.stop()
  return took
}

const slowRequest = { method: 'GET', url: `${baseUrl}/slow`, headers: [], body: null } as const
const limits = {
  deadlineMs: CALL_LIMITS.timeoutDefaultMs,
  connectMs: CALL_LIMITS.connectMs,
  answerBytes: CALL_LIMITS.answerBytes,
  readWholeAnswer: true,
}

/** Returns the milliseconds of as many concurrent requests by the outbound client alone, with new connections. */
async function sendConcurrently(): Promise<number> {
  const client = newOutbound()
  const from = performance.now()
  await Promise.all(Array.from({ length: RUNS }, () => client.send({ ...slowRequest, ...limits })))
  const took = performance.now() - from
  client.close()
  return took
}

const instant: CompletedCall = {
  outcome: 'success',
  isMade: true,
  httpStatus: 200,
  failure: null,
  detail: null,
  answer: null,
  isUnreadable: false,
  answerText: null,
  answerChars: null,
  sent: null,
  target: null,
  attempts: 1,
  durationMs: 0,
}

const bare = new Agent({ connect: { ca: receiver.certificate }, connections: 1 })
const fast = `${baseUrl}/fast`
const ONE_BY_ONE = {
  undici: async () => {
    const { body } = await request(fast, { dispatcher: bare })
    await body.text()
  },
  outbound: async () => {
    const { kind } = await outbound.send({ ...slowRequest, url: fast, ...limits })
    if (kind !== 'answer') throw new Error('no answer came')
  },
  caller: async () => {
    const { outcome } = await makeCall(deps, {
      companyId: shop.companyId,
      request: { ...call.request, method: 'GET', path: '/fast' },
      fillings: {},
      source: { kind: 'test', personId: context.ids.uuid() },
    })
    if (outcome !== 'success') throw new Error('the call failed')
  },
}

/** Returns the median duration of one call in ms, and the CPU time of this process for each. */
async function oneByOne(ask: () => Promise<unknown>) {
  for (let warm = 0; warm < 100; warm += 1) await ask()
  const took: number[] = []
  const before = process.cpuUsage()
  for (let made = 0; made < CALLS; made += 1) {
    const from = performance.now()
    await ask()
    took.push(performance.now() - from)
  }
  const used = process.cpuUsage(before)
  return { p50: median(took), cpu: (used.user + used.system) / 1_000 / CALLS }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

try {
  const rounds: Record<'wasla' | 'database' | 'api' | 'ratio', number>[] = []
  // The first round warms the process up.
  await takeRuns((one) => makeCall(deps, one))
  for (let round = 1; round <= ROUNDS; round += 1) {
    const api50 = await sendConcurrently()
    const db = await takeRuns(() => Promise.resolve(instant))
    const wasla = await takeRuns((one) => makeCall(deps, one))
    const ratio = wasla / Math.max(db, api50)
    rounds.push({ wasla, database: db, api: api50, ratio })
    console.log(
      `round ${round}: ${RUNS} runs ${wasla.toFixed(0)} ms; without the call ${db.toFixed(0)}, without the runs ${api50.toFixed(0)}; of the ideal ${ratio.toFixed(2)}`,
    )
  }
  const of = (name: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[name]))
  console.log(`medians of ${ROUNDS} rounds, ${RUN_LIMITS.maxConcurrent} runs at work at once`)
  console.log(`  ${RUNS} runs that call, ms       ${of('wasla').toFixed(0)}`)
  console.log(`  the runs without calls, ms   ${of('database').toFixed(0)}`)
  console.log(`  the calls without runs, ms   ${of('api').toFixed(0)}`)
  console.log(`  of the ideal                 ${of('ratio').toFixed(2)}`)
  const results = new Map<string, { p50: number[]; cpu: number[] }>()
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [name, ask] of Object.entries(ONE_BY_ONE)) {
      const { p50, cpu } = await oneByOne(ask)
      const all = results.get(name) ?? { p50: [], cpu: [] }
      results.set(name, { p50: [...all.p50, p50], cpu: [...all.cpu, cpu] })
    }
  }
  console.log(`one call after the other, medians of ${ROUNDS} rounds of ${CALLS}`)
  for (const [name, { p50, cpu }] of results) {
    console.log(
      `  ${name.padEnd(9)} p50 ${median(p50).toFixed(2)} ms, processor ${median(cpu).toFixed(2)} ms`,
    )
  }
} finally {
  api.kill('SIGTERM')
  outbound.close()
  await bare.close()
  await service.stop()
  await receiver.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
