/**
 * Measures templates a second of one process whose provider takes 200 ms. Hooks queue runs of 20 numbers while no
 * worker runs. Then a process starts, and the sends at the provider are counted from the first to the last.
 *
 *   npm run bench:sends [-- SENDS [ROUNDS]]
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { readConfig } from '../src/app/config.ts'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import { createService } from '../src/app/create-service.ts'
import { postHook, ORDER } from '../test/support/post-hook.ts'
import { createShop } from '../test/support/shop.ts'

const SENDS = Number(process.argv[2] ?? 4_000)
const ROUNDS = Number(process.argv[3] ?? 3)
const NUMBERS = 20
const ANSWER_MS = 200

const folder = mkdtempSync(path.join(tmpdir(), 'wasla-bench-'))
const postgres = await startEmbeddedPostgres({ dataFolder: folder })
const { host, user, database } = postgres.connection

let sentAt: number[] = []
const provider = createServer((request, response) => {
  request.resume().on('end', () => {
    sentAt.push(performance.now())
    const answer = JSON.stringify({ messages: [{ id: `wamid.${randomUUID()}` }] })
    setTimeout(() => response.writeHead(200).end(answer), ANSWER_MS)
  })
})
await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))

const env = {
  DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
  DATA_FOLDER: folder,
  DEMONSTRATION: 'off',
  LOG_LEVEL: 'error',
  PORT: '0',
  TRUSTED_PROXIES: '127.0.0.0/8',
}
const builder = await createService(readConfig(env, [], folder))
const url = `http://127.0.0.1:${await builder.listen()}`
// The limit of requests per minute is not measured here.
await builder.context.db.pool.query(`
  create function forget() returns trigger language plpgsql
    as $$ begin new.requests := 0; return new; end $$;
  create trigger forget before insert or update on hook_url_count
    for each row execute function forget();
  create trigger forget before insert or update on company_hook_count
    for each row execute function forget()`)
const shops = await Promise.all(
  Array.from({ length: NUMBERS }, (_, nth) =>
    createShop(
      { service: builder, receiver: { url: 'https://127.0.0.1:9/' } as never, url },
      { phoneNumberId: `1000${nth}`, businessAccountId: `2000${nth}`, eventTypes: ['ping'] },
    ),
  ),
)

let customers = 0
async function queue() {
  let left = SENDS
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (left > 0) {
        left -= 1
        customers += 1
        const phone = `+9665${String(10_000_000 + customers)}`
        const order = { ...ORDER, customer: { ...ORDER.customer, phone } }
        const from = { 'x-forwarded-for': `198.18.${(customers >> 6) & 255}.${customers & 63}` }
        const { http } = await postHook(shops[customers % NUMBERS]!.hookUrl, order, from)
        if (http !== 202) throw new Error(`answered ${http}`)
      }
    }),
  )
}

async function round(): Promise<{ rate: number; memory: number }> {
  await queue()
  sentAt = []
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, '../test/support/killable-process.ts')],
    {
      env: {
        PATH: process.env.PATH,
        ...env,
        SIMULATOR_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
        NODE_OPTIONS: '--max-semi-space-size=8',
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  child.stdin.write('{}\n')
  createInterface({ input: child.stdout }).resume()
  const endsAt = performance.now() + 60_000
  while (sentAt.length < SENDS) {
    if (performance.now() > endsAt) throw new Error(`only ${sentAt.length} were sent`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const status = readFileSync(`/proc/${child.pid!}/status`, 'utf8')
  const memory = Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1_024
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
  return { rate: (SENDS - 1) / ((sentAt.at(-1)! - sentAt[0]!) / 1_000), memory }
}

try {
  const rates: number[] = []
  for (let nth = 1; nth <= ROUNDS; nth += 1) {
    const { rate, memory } = await round()
    rates.push(rate)
    console.log(`round ${nth}: ${rate.toFixed(0)} templates/s, ${memory.toFixed(0)} MB`)
  }
  const median = rates.toSorted((a, b) => a - b)[ROUNDS >> 1]!
  console.log(`median ${median.toFixed(0)} templates/s; load average ${loadavg()[0]!.toFixed(1)}`)
} finally {
  provider.close()
  await builder.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
