/**
 * Whole journeys a second: hook → run → template at WhatsApp → statuses and the customer's tap back →
 * run ended → signed event received. The service is a process of its own on an embedded PostgreSQL
 * with fsync; this process is the shop that asks, WhatsApp (the simulator) and the receiver.
 *
 * Beside it, in the same run, the yardstick: the least program that takes the same request, writes a
 * run, an event and a delivery in one transaction, posts the event signed and records it. It knows no
 * rule, sends no template and waits for no reply.
 *
 *   npm run bench:journeys [-- JOURNEYS]
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '../src/database/embedded/start-embedded-postgres.ts'
import { readConfig } from '../src/config.ts'
import { createService } from '../src/service.ts'
import { startSimulator } from '../src/simulator/start-simulator.ts'
import { askHook, ORDER } from '../test/support/ask-hook.ts'
import { startTestReceiver } from '../test/support/receiver.ts'
import {
  ACCESS_TOKEN,
  APP_SECRET,
  createShop,
  ORDER_READY_COMPONENTS,
} from '../test/support/shop.ts'

const JOURNEYS = Number(process.argv[2] ?? 400)
const CONNECTIONS = 64
const ROUNDS = 5
/**
 * WhatsApp tells of one number's messages in order, one webhook at a time, and every hook URL has its
 * limits: many shops share the load.
 */
const SHOPS = 64

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
const port = await builder.listen()
await builder.stop()
const simulator = await startSimulator({
  port: 0,
  journalFile: null,
  clock: { now: () => new Date() },
  stepMs: 0,
  autoReply: { afterMs: 0 },
  log: () => {},
  numbers: shops.map((shop) => ({
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
  })),
})

let orders = 0
/** Asks for `JOURNEYS` runs over `CONNECTIONS` connections, and waits until `isDone`. */
async function measure(urls: string[], isDone: () => boolean) {
  const began = performance.now()
  let left = JOURNEYS
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left > 0) {
        left -= 1
        orders += 1
        const phone = `+9665${String(30_000_000 + orders)}`
        const answer = await askHook(
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
  while (!isDone()) {
    if (performance.now() - began > 120_000) throw new Error('the journeys did not end')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const wholeMs = performance.now() - began
  return { accepted: (JOURNEYS / acceptedMs) * 1_000, whole: (JOURNEYS / wholeMs) * 1_000 }
}

function startProcess(program: string, change: Record<string, string>) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, program)], {
    env: { PATH: process.env.PATH, ...env, ...change },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
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

/** The most memory that the process ever held, in MB. */
function peakMemory(pid: number): number {
  return Math.round(
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024,
  )
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

try {
  const service = await startProcess('../test/support/killable-process.ts', {
    PORT: String(port),
    SIMULATOR_URL: simulator.graphBaseUrl,
  })
  const limit = await startProcess('limit-journeys-process.ts', { RECEIVER_URL: receiver.url })
  const limitPort = Number(readFileSync(path.join(folder, 'limit-port'), 'utf8'))
  const results: {
    wasla: Awaited<ReturnType<typeof measure>>
    yardstick: number
    memory: number
  }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    receiver.received.length = 0
    const wasla = await measure(
      shops.map((shop) => `http://127.0.0.1:${port}/hooks/${shop.hookToken}`),
      () => receiver.events('flow.completed').length === JOURNEYS,
    )
    receiver.received.length = 0
    const yardstick = await measure(
      [`http://127.0.0.1:${limitPort}/`],
      () => receiver.events('flow.completed').length === JOURNEYS,
    )
    results.push({ wasla, yardstick: yardstick.whole, memory: peakMemory(service.pid) })
    const { accepted, whole } = wasla
    console.log(
      `round ${round + 1}: ${accepted.toFixed(0)} accepted/s, ${whole.toFixed(0)} whole journeys/s; yardstick ${yardstick.whole.toFixed(0)} requests/s; service ${peakMemory(service.pid)} MB`,
    )
  }
  console.log(
    `median of ${ROUNDS}: ${median(results.map((r) => r.wasla.accepted)).toFixed(0)} accepted/s, ${median(results.map((r) => r.wasla.whole)).toFixed(0)} whole journeys/s, yardstick ${median(results.map((r) => r.yardstick)).toFixed(0)}/s, service at most ${Math.max(...results.map((r) => r.memory))} MB`,
  )
  await service.stop()
  await limit.stop()
} finally {
  await simulator.close()
  await receiver.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
