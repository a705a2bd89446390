/**
 * Measures a single hook journey on an idle service, with receipts and the customer's tap. Results are the times from
 * the request to the template at the simulator, and to the last of five signed events. Before that, a service that has
 * just become ready gets 100 hooks, 20 a second, and another one over 8 connections without a pause. Results are the
 * times of its answers. Embedded PostgreSQL with
 * fsync.
 *
 *   npm run bench:alone [-- JOURNEYS]
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '../src/app/config.ts'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import { createService } from '../src/app/create-service.ts'
import { startSimulators } from '../simulators/index.ts'
import { postHook, orderOf } from '../test/support/post-hook.ts'
import { NODE_COMPILE_CACHE } from '../test/support/compile-cache.ts'
import { startTestReceiver } from '../test/support/receiver.ts'
import {
  ACCESS_TOKEN,
  APP_SECRET,
  createShop,
  ORDER_READY_COMPONENTS,
} from '../test/support/shop.ts'
import { liftLimits } from './whole-service.ts'

const JOURNEYS = Number(process.argv[2] ?? 40)
/** The events of a journey: contact created and updated, conversation started, message received, flow completed. */
const EVENTS = 5
/** The number of first journeys that the results leave out, because the service has just started. */
const COLD = 8
const FIRST_HOOKS = 100
const FIRST_PER_SECOND = 20
const FIRST_CONNECTIONS = 8
/** The number of the last order that was posted. */
let orders = 0

const folder = mkdtempSync(path.join(tmpdir(), 'wasla-bench-'))
const postgres = await startEmbeddedPostgres({ dataFolder: folder })
const { host, user, database } = postgres.connection
const receiver = await startTestReceiver()
writeFileSync(path.join(folder, 'ca.pem'), receiver.certificate)
const env = {
  DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
  DATA_FOLDER: folder,
  DEMONSTRATION: 'off',
  EGRESS_ALLOW: '127.0.0.0/8',
  EXTRA_CA_FILE: path.join(folder, 'ca.pem'),
  LOG_LEVEL: 'warn',
  TRUSTED_PROXIES: '127.0.0.0/8',
}
const builder = await createService(readConfig({ ...env, PORT: '0' }, [], folder))
const shop = await createShop({ service: builder, receiver, url: '' })
await liftLimits(builder.context.db.pool)
const port = await builder.listen()
await builder.stop()
const simulators = await startSimulators(
  { clock: { now: () => new Date() } },
  {
    whatsApp: {
      stepMs: 0,
      autoReply: { afterMs: 0 },
      numbers: [
        {
          phoneNumberId: shop.phoneNumberId,
          businessAccountId: shop.businessAccountId,
          displayPhoneNumber: '15550783881',
          verifiedName: 'Shop',
          accessToken: ACCESS_TOKEN,
          appSecret: APP_SECRET,
          webhookUrl: `http://127.0.0.1:${port}/webhooks/whatsapp`,
          templates: ['ar', 'en'].map((language) => ({
            id: `t-${language}`,
            name: 'order_ready',
            language,
            status: 'APPROVED',
            category: 'UTILITY',
            parameter_format: 'POSITIONAL',
            components: ORDER_READY_COMPONENTS,
          })),
        },
      ],
    },
  },
)

function startService() {
  const program = path.join(import.meta.dirname, '../test/support/killable-process.ts')
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE,
      ...env,
      PORT: String(port),
      SIMULATOR_URL: simulators.whatsApp.baseUrl,
      NODE_OPTIONS: '--max-semi-space-size=8',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  // The service waits for its settings on this pipe, and ends with it.
  child.stdin.write('{}\n')
  return new Promise<{ stop(): Promise<void> }>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('ready ')) return console.log(line)
      resolve({
        async stop() {
          child.kill('SIGTERM')
          await new Promise((end) => child.once('exit', end))
        },
      })
    })
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  })
}

/** Posts an order. Returns the answer's HTTP status and its time. */
async function postOrder(nth: number) {
  const { body, headers } = orderOf(nth)
  const began = performance.now()
  const { http } = await postHook(`http://127.0.0.1:${port}/hooks/${shop.hookToken}`, body, headers)
  return { http, began, acceptedMs: performance.now() - began }
}

/** Prints how a service that has just become ready answers its first hooks. */
async function reportFirstHooks(
  name: string,
  post: (postNext: () => Promise<void>) => Promise<unknown>,
) {
  const receivedBefore = receiver.received.length
  const service = await startService()
  const answers: Awaited<ReturnType<typeof postOrder>>[] = []
  await post(async () => void answers.push(await postOrder((orders += 1))))
  const times = answers.map(({ acceptedMs }) => acceptedMs)
  const refused = answers.filter(({ http }) => http !== 202).length
  console.log(
    `the first ${times.length} hooks after ready, ${name}: first ${times[0]!.toFixed(0)}, p50 ${at(times, 0.5).toFixed(0)}, slowest ${Math.max(...times).toFixed(0)} ms; ${refused} not accepted`,
  )
  await since(
    performance.now(),
    () => receiver.received.length >= receivedBefore + FIRST_HOOKS * EVENTS,
  )
  await service.stop()
}

/** Returns a load that posts the first hooks at a rate, whether or not earlier ones are answered. */
const atRate = (perSecond: number) => async (postNext: () => Promise<void>) => {
  const posted: Promise<void>[] = []
  for (let nth = 0; nth < FIRST_HOOKS; nth += 1) {
    posted.push(postNext())
    await pause(1_000 / perSecond)
  }
  await Promise.all(posted)
}

/** Returns a load that posts the first hooks over a number of connections, without a pause. */
const over = (connections: number) => async (postNext: () => Promise<void>) => {
  let next = 0
  const postOn = async () => {
    while (next++ < FIRST_HOOKS) await postNext()
  }
  await Promise.all(Array.from({ length: connections }, postOn))
}

async function journey() {
  const receivedBefore = receiver.received.length
  const sentBefore = simulators.whatsApp.messages().length
  const { http, began, acceptedMs } = await postOrder((orders += 1))
  if (http !== 202) throw new Error(`answered ${http}`)
  const templateMs = await since(began, () => {
    return simulators.whatsApp.messages().length > sentBefore
  })
  const wholeMs = await since(began, () => receiver.received.length >= receivedBefore + EVENTS)
  return { acceptedMs, templateMs, wholeMs }
}

/** Checks a condition on each turn of the event loop. Returns the ms until it is true. */
async function since(began: number, isSo: () => boolean): Promise<number> {
  while (!isSo()) {
    if (performance.now() - began > 30_000) throw new Error('the journey did not end')
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  return performance.now() - began
}

const at = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!

type Journey = Awaited<ReturnType<typeof journey>>
function report(name: string, journeys: Journey[]) {
  const of = (key: keyof Journey) => {
    const values = journeys.map((one) => one[key])
    return `p50 ${at(values, 0.5).toFixed(0)}, p95 ${at(values, 0.95).toFixed(0)} ms`
  }
  console.log(
    `${name}: answered ${of('acceptedMs')}; template ${of('templateMs')}; last event ${of('wholeMs')}`,
  )
}

try {
  // The programs of the bench itself are cold before this.
  await reportFirstHooks('to warm the bench up', over(4))
  await reportFirstHooks(`${FIRST_PER_SECOND} a second`, atRate(FIRST_PER_SECOND))
  await reportFirstHooks(`over ${FIRST_CONNECTIONS} connections`, over(FIRST_CONNECTIONS))
  const service = await startService()
  const journeys: Journey[] = []
  for (let nth = 0; nth < JOURNEYS; nth += 1) {
    journeys.push(await journey())
    // Writes of one journey must not overlap with the next one.
    await pause(150)
  }
  report(`the first ${COLD}`, journeys.slice(0, COLD))
  report(`the other ${JOURNEYS - COLD}`, journeys.slice(COLD))
  await service.stop()
} finally {
  await simulators.close()
  await receiver.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
