/**
 * Measures 5,000 concurrent visitor streams of 50 companies in one process, while the staff of one company writes to
 * each of its 100 visitors. Results are the process's memory, and the time until the last visitor has their message:
 * from the first post, and from the last accepted one (the fan-out). The last line begins with `RESULT` and compares
 * both with their limits; above a limit it exits with 1. The load average of an idle machine is below 1 at the start.
 *
 *   npm run bench:widget [-- STREAMS [ROUNDS]]
 */
import { spawn } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { readConfig } from '../src/app/config.ts'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import { createService } from '../src/app/create-service.ts'
import { signedIn } from '../test/support/dashboard.ts'
import { createShop } from '../test/support/shop.ts'

const STREAMS = Number(process.argv[2] ?? 5_000)
const ROUNDS = Number(process.argv[3] ?? 5)
const VISITORS_OF_COMPANY = 100
const OPENED_AT_ONCE = 50
const WITHIN_MS = 120_000
/** The limits of the results: memory for 5,000 streams, and the time to reach all visitors of one company. */
const MAX_MEGABYTES = 500
const MAX_FAN_OUT_MS = 1_000
const [loadBefore] = loadavg()

const folder = mkdtempSync(path.join(tmpdir(), 'wasla-bench-'))
const postgres = await startEmbeddedPostgres({ dataFolder: folder })
const { host, user, database } = postgres.connection
const env = {
  DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
  DATA_FOLDER: folder,
  DEMONSTRATION: 'off',
  LOG_LEVEL: 'error',
  PORT: '0',
  // Each visitor has a different address.
  TRUSTED_PROXIES: '127.0.0.0/8',
}
const builder = await createService(readConfig(env, [], folder))
const builderUrl = `http://127.0.0.1:${await builder.listen()}`
const { pool } = builder.context.db

type Visitor = { conversationId: string; ticket: string }

/** Creates a company with a widget, and visitors who have each begun a conversation. */
async function createCompany(): Promise<{
  companyId: string
  accountId: string
  visitors: Visitor[]
}> {
  const receiver = { url: 'https://127.0.0.1:9/' } as never
  const number = randomBytes(6).readUIntBE(0, 6)
  const shop = await createShop(
    { service: builder, receiver, url: builderUrl },
    { phoneNumberId: `1${number}`, businessAccountId: `2${number}`, eventTypes: ['ping'] },
  )
  const { companyId, accountId } = shop
  const owner = await signedIn({ service: builder, url: builderUrl }, { accountId })
  const { body } = await owner.ask<{ channel: { id: string } }>(
    'POST',
    `/companies/${companyId}/channels`,
    { type: 'web_widget', name: 'Website', credentials: {} },
  )
  const visitors = Array.from({ length: VISITORS_OF_COMPANY }, () => ({
    id: randomUUID(),
    conversationId: `c_${randomUUID().replaceAll('-', '')}`,
    ticket: randomBytes(32).toString('base64url'),
  }))
  const hash = (text: string) => createHash('sha256').update(text).digest()
  await pool.query(
    `with made as (
      select * from unnest($1::uuid[], $2::text[], $3::bytea[]) as made (id, conversation_id, hash)
    ), visitors as (
      insert into visitor (id, company_id, channel_id, token_hash, token_made_at, seen_at, created_at)
      select id, $4, $5, hash, now(), now(), now() from made
    ), tickets as (
      insert into visitor_ticket (hash, visitor_id, expires_at)
      select hash, id, now() + interval '1 hour' from made
    )
    insert into conversation (id, company_id, channel_id, channel_type, filed_under, announced_at,
      last_customer_at, last_message_at, created_at)
    select conversation_id, $4, $5, 'web_widget',
      (select provider_route from channel where id = $5) || ':' || made.id, now(), now(), now(), now()
    from made`,
    [
      visitors.map(({ id }) => id),
      visitors.map(({ conversationId }) => conversationId),
      visitors.map(({ ticket }) => hash(ticket)),
      companyId,
      body.channel.id,
    ],
  )
  return { companyId, accountId, visitors }
}

/** Opens the stream of a visitor and passes its text to `hear`. */
async function open(url: string, { ticket }: Visitor, nth: number, hear: (text: string) => void) {
  const from = `198.${18 + (nth >> 16)}.${(nth >> 8) & 255}.${nth & 255}`
  const opened = request(`${url}/widget/v1/stream?ticket=${ticket}&after=${Date.now()}`, {
    headers: { 'x-forwarded-for': from },
    agent: false,
  })
  opened.end()
  const [response] = (await once(opened, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`a stream was answered ${response.statusCode}`)
  response.setEncoding('utf8').on('data', hear)
  response.on('error', () => {})
}

const child = spawn(
  process.execPath,
  [path.join(import.meta.dirname, '../test/support/killable-process.ts')],
  {
    env: { PATH: process.env.PATH, ...env, NODE_OPTIONS: '--max-semi-space-size=8' },
    stdio: ['pipe', 'pipe', 'inherit'],
  },
)
const memoryOf = (line: 'VmRSS' | 'VmHWM') =>
  Number(
    new RegExp(`${line}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid!}/status`, 'utf8'))![1],
  ) / 1_024

try {
  child.stdin.write('{}\n')
  const [ready] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const url = `http://127.0.0.1:${ready.split(' ')[1]}`
  const companies = []
  for (let nth = 0; nth < STREAMS / VISITORS_OF_COMPANY; nth += 1)
    companies.push(await createCompany())
  const before = memoryOf('VmRSS')
  const heard = new Map<string, (text: string) => void>()
  const all = companies.flatMap(({ visitors }) => visitors).slice(0, STREAMS)
  const openedAt = performance.now()
  for (let at = 0; at < all.length; at += OPENED_AT_ONCE) {
    await Promise.all(
      all
        .slice(at, at + OPENED_AT_ONCE)
        .map((visitor, index) =>
          open(url, visitor, at + index, (text) => heard.get(visitor.conversationId)?.(text)),
        ),
    )
  }
  const seconds = ((performance.now() - openedAt) / 1_000).toFixed(1)
  console.log(`${all.length} streams opened in ${seconds} s`)
  const { companyId, accountId, visitors } = companies[0]!
  const owner = await signedIn({ service: builder, url }, { accountId })
  const times: number[] = []
  const fanOuts: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const text = `Round ${round}`
    const reached = Promise.all(
      visitors.map(
        ({ conversationId }) =>
          new Promise<void>((resolve, reject) => {
            const timer = setTimeout(
              () => reject(new Error('a visitor was not reached')),
              WITHIN_MS,
            )
            heard.set(conversationId, (line) => {
              if (!line.includes(text)) return
              clearTimeout(timer)
              resolve()
            })
          }),
      ),
    )
    const began = performance.now()
    await Promise.all(
      visitors.map(async ({ conversationId }) => {
        const address = `/companies/${companyId}/conversations/${conversationId}/messages`
        const { status } = await owner.ask('POST', address, { key: randomUUID(), text })
        if (status !== 201) throw new Error(`a reply was answered ${status}`)
      }),
    )
    const posted = performance.now()
    await reached
    const ended = performance.now()
    times.push(ended - began)
    fanOuts.push(Math.max(0, ended - posted))
    console.log(
      `round ${round}: all ${visitors.length} reached ${(ended - began).toFixed(0)} ms after the first was posted, ${fanOuts.at(-1)!.toFixed(0)} ms after the last was accepted`,
    )
  }
  const median = times.toSorted((a, b) => a - b)[ROUNDS >> 1]!
  console.log(
    `median ${median.toFixed(0)} ms; memory ${before.toFixed(0)} MB without streams, ${memoryOf('VmHWM').toFixed(0)} MB at most; load average ${loadBefore!.toFixed(1)} before, ${loadavg()[0]!.toFixed(1)} after`,
  )
  const [slowestMs, rss] = [Math.max(...fanOuts), memoryOf('VmRSS')]
  const isKept = slowestMs <= MAX_FAN_OUT_MS && rss <= MAX_MEGABYTES
  console.log(
    `RESULT ${isKept ? 'kept' : 'MISSED'}: ${all.length} streams, RSS ${rss.toFixed(0)} MB of ${MAX_MEGABYTES}, slowest fan-out to ${visitors.length} visitors ${slowestMs.toFixed(0)} ms of ${MAX_FAN_OUT_MS} (with the posting of it ${Math.max(...times).toFixed(0)} ms)`,
  )
  if (!isKept) process.exitCode = 1
} finally {
  child.kill('SIGTERM')
  await once(child, 'exit')
  await builder.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
