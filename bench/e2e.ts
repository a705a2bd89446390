/**
 * Measures whole journeys a second: hook → run → template at WhatsApp → statuses and the customer's tap back → run
 * ended → signed event received. The service is a separate process on an embedded PostgreSQL with fsync. This process
 * is the shop, WhatsApp (the simulator) and the receiver.
 *
 * The yardstick `limit-journeys` alternates with it in the same run: the smallest program that makes the same
 * journeys over the same tables and shops without rules.
 *
 *   npm run bench:e2e [-- JOURNEYS [ROUNDS [TEXTS]]]
 *
 * TEXTS names a file for the statements of a journey of the last round.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import { readConfig } from '../src/app/config.ts'
import { createService } from '../src/app/create-service.ts'
import { startSimulators } from '../simulators/index.ts'
import { postHook, ORDER } from '../test/support/post-hook.ts'
import { startTestReceiver } from '../test/support/receiver.ts'
import {
  ACCESS_TOKEN,
  APP_SECRET,
  createShop,
  ORDER_READY_COMPONENTS,
} from '../test/support/shop.ts'
import { familyOf, parentOf, peakMemory, processorMs } from './process-costs.ts'

const JOURNEYS = Number(process.argv[2] ?? 400)
const CONNECTIONS = 64
const ROUNDS = Number(process.argv[3] ?? 5)
const TEXTS = process.argv[4]
/**
 * Number of shops that share the load: WhatsApp sends one number's webhooks one at a time, and every hook URL has
 * limits.
 */
const SHOPS = 64
/** The events of a journey: contact created and updated, conversation started, message received, flow completed. */
const EVENTS = 5

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
  TRUSTED_PROXIES: '127.0.0.0/8',
}
const builder = await createService(readConfig({ ...env, PORT: '0' }, [], folder))
const shops = await Promise.all(
  Array.from({ length: SHOPS }, (_, index) =>
    createShop(
      { service: builder, receiver, url: '' },
      { phoneNumberId: `1000${index}`, businessAccountId: `2000${index}` },
    ),
  ),
)
// The limit of requests per minute is not measured here.
await builder.context.db.pool.query(`
  create function forget() returns trigger language plpgsql
    as $$ begin new.requests := 0; return new; end $$;
  create trigger forget before insert or update on hook_url_count
    for each row execute function forget();
  create trigger forget before insert or update on company_hook_count
    for each row execute function forget()`)
const port = await builder.listen()
await builder.stop()
const limitPort = await freePort()
/** The simulated WhatsApp of the service, and that of the yardstick. */
const [simulator, limitSimulator] = await Promise.all([port, limitPort].map(startWhatsApp))

function startWhatsApp(ofPort: number) {
  const numbers = shops.map((shop) => ({
    phoneNumberId: shop.phoneNumberId,
    businessAccountId: shop.businessAccountId,
    displayPhoneNumber: '15550783881',
    verifiedName: 'Shop',
    accessToken: ACCESS_TOKEN,
    appSecret: APP_SECRET,
    webhookUrl: `http://127.0.0.1:${ofPort}/webhooks/whatsapp`,
    templates: ['ar', 'en'].map((language) => ({
      id: `t-${language}`,
      name: 'order_ready',
      language,
      status: 'APPROVED',
      category: 'UTILITY',
      parameter_format: 'POSITIONAL',
      components: ORDER_READY_COMPONENTS,
    })),
  }))
  return startSimulators(
    { clock: { now: () => new Date() } },
    { whatsApp: { stepMs: 0, autoReply: { afterMs: 0 }, numbers } },
  )
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: free } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return free
}

let orders = 0
/** Starts `JOURNEYS` runs over `CONNECTIONS` connections, and waits until all events were received. */
async function measure(ofPort: number, journeys = JOURNEYS) {
  receiver.received.length = 0
  const urls = shops.map((shop) => `http://127.0.0.1:${ofPort}/hooks/${shop.hookToken}`)
  const began = performance.now()
  let left = journeys
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left > 0) {
        left -= 1
        orders += 1
        const phone = `+9665${String(30_000_000 + orders)}`
        const answer = await postHook(
          urls[orders % urls.length]!,
          { ...ORDER, customer: { ...ORDER.customer, phone } },
          {
            'idempotency-key': `order-${orders}`,
            'x-forwarded-for': `198.18.${(orders >> 8) & 255}.${orders & 255}`,
          },
        )
        if (answer.http !== 202) throw new Error(JSON.stringify(answer))
      }
    }),
  )
  const acceptedMs = performance.now() - began
  while (receiver.received.length < journeys * EVENTS) {
    if (performance.now() - began > 120_000) throw new Error('the journeys did not end')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const wholeMs = performance.now() - began
  return { accepted: (journeys / acceptedMs) * 1_000, whole: (journeys / wholeMs) * 1_000 }
}

function startProcess(program: string, change: Record<string, string>) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, program)], {
    env: {
      PATH: process.env.PATH,
      ...env,
      ...change,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  // The service waits for its settings on this pipe, and ends with it.
  child.stdin.write('{}\n')
  return new Promise<{ pid: number; stop(): Promise<void> }>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('ready ')) return console.log(line)
      resolve({
        pid: child.pid!,
        async stop() {
          child.kill('SIGTERM')
          await new Promise((end) => child.once('exit', end))
        },
      })
    })
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)))
  })
}

const statementsFile = path.join(folder, 'statements')
const limitStatementsFile = path.join(folder, 'limit-statements')
const textsFile = path.join(folder, 'texts')

/** Returns how often each statement was sent until now, and its total time. */
function textsNow() {
  return new Map(
    TEXTS
      ? (JSON.parse(readFileSync(textsFile, 'utf8')) as [string, { calls: number; ms: number }][])
      : [],
  )
}

function reportTexts(before: ReturnType<typeof textsNow>) {
  const lines = [...textsNow()]
    .map(([text, { calls, ms }]) => ({
      text,
      calls: (calls - (before.get(text)?.calls ?? 0)) / JOURNEYS,
      ms: (ms - (before.get(text)?.ms ?? 0)) / JOURNEYS,
    }))
    .filter(({ calls }) => calls > 0)
    .toSorted((a, b) => b.ms - a.ms)
    .map(({ text, calls, ms }) => `${calls.toFixed(3)} ${ms.toFixed(2)} ms  ${text.slice(0, 160)}`)
  writeFileSync(TEXTS!, `${lines.join('\n')}\n`)
}

/** Returns the cost of the service and its database until now. */
async function costs(pid: number, file: string) {
  // The counts are written a few times a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ commits: string; pid: number }>(
    `select xact_commit::text as commits, pg_backend_pid() as pid from pg_stat_database where datname = current_database()`,
  )
  const postmaster = parentOf(rows[0]!.pid)
  await client.end()
  return {
    commits: Number(rows[0]!.commits),
    statements: Number(readFileSync(file, 'utf8')),
    serviceMs: processorMs(pid),
    databaseMs: familyOf(postmaster).reduce((sum, one) => sum + processorMs(one), 0),
  }
}

type Round = Awaited<ReturnType<typeof measure>> & {
  statements: number
  commits: number
  serviceMs: number
  databaseMs: number
  memory: number
}

async function round({ pid }: { pid: number }, ofPort: number, file: string): Promise<Round> {
  const before = await costs(pid, file)
  const rates = await measure(ofPort)
  const after = await costs(pid, file)
  const ofJourney = (key: keyof typeof after) => (after[key] - before[key]) / JOURNEYS
  return {
    ...rates,
    statements: ofJourney('statements'),
    commits: ofJourney('commits'),
    serviceMs: ofJourney('serviceMs'),
    databaseMs: ofJourney('databaseMs'),
    memory: peakMemory(pid),
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

function report(name: string, rounds: Round[]) {
  const of = (key: keyof Round, digits: number) =>
    median(rounds.map((one) => one[key])).toFixed(digits)
  console.log(
    `${name}: ${of('accepted', 0)} accepted/s, ${of('whole', 0)} whole journeys/s; a journey: ${of('statements', 1)} statements, ${of('commits', 2)} commits, processor ${of('serviceMs', 1)} + ${of('databaseMs', 1)} ms; at most ${Math.max(...rounds.map(({ memory }) => memory))} MB`,
  )
}

try {
  const counting = {
    NODE_OPTIONS: `--max-semi-space-size=8 --import ${path.join(import.meta.dirname, 'count-statements.ts')}`,
  }
  const service = await startProcess('../test/support/killable-process.ts', {
    PORT: String(port),
    SIMULATOR_URL: simulator!.whatsApp.baseUrl,
    STATEMENTS_FILE: statementsFile,
    ...(TEXTS && { TEXTS_FILE: textsFile }),
    ...counting,
  })
  const limit = await startProcess('limit-journeys-process.ts', {
    PORT: String(limitPort),
    SIMULATOR_URL: limitSimulator!.whatsApp.baseUrl,
    STATEMENTS_FILE: limitStatementsFile,
    ...counting,
  })
  const alone: number[] = []
  for (let nth = 0; nth < 15; nth += 1) alone.push(1_000 / (await measure(port, 1)).whole)
  console.log(`one journey alone, idle service: ${median(alone.slice(4)).toFixed(0)} ms`)
  const [ofWasla, ofLimit]: [Round[], Round[]] = [[], []]
  for (let nth = 1; nth <= ROUNDS; nth += 1) {
    const textsBefore = textsNow()
    ofWasla.push(await round(service, port, statementsFile))
    if (TEXTS) reportTexts(textsBefore)
    ofLimit.push(await round(limit, limitPort, limitStatementsFile))
    report(`round ${nth}, wasla         `, ofWasla.slice(-1))
    report(`round ${nth}, limit-journeys`, ofLimit.slice(-1))
  }
  console.log(`medians of ${ROUNDS}; load average ${loadavg()[0]!.toFixed(1)}`)
  report('wasla         ', ofWasla)
  report('limit-journeys', ofLimit)
  const shares = ofWasla.map(({ whole }, nth) => whole / ofLimit[nth]!.whole)
  console.log(`of limit-journeys ${median(shares).toFixed(2)}`)
  await service.stop()
  await limit.stop()
} finally {
  await simulator!.close()
  await limitSimulator!.close()
  await receiver.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
