/**
 * Measures how soon a member sees the first rows, and how soon a key press has an effect, on a slow machine. A real
 * browser with a processor slowed down four times and an empty cache opens two pages: the inbox of a company with
 * 1,000,000 conversations, and the delivery log of one with 1,000,000 deliveries. Then a tab stays open under CHANGES
 * a second for MINUTES, and its heap is measured ten times, after garbage collection.
 *
 *   npm run bench:dashboard -- FOLDER [ROUNDS [MINUTES [CHANGES]]]
 *
 * FOLDER is one that `npm run bench:inbox -- 1000000 1 0 FOLDER` has filled; deliveries are added to it once.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { startSession } from '../src/modules/accounts/start-session.ts'
import { readConfig } from '../src/app/config.ts'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import { transaction } from '../src/infra/database/transaction.ts'
import { createService } from '../src/app/create-service.ts'
import { startBrowser } from '../test/support/browser.ts'
import { startWholeService } from './whole-service.ts'

const [FOLDER = '', ROUNDS = '9', MINUTES = '60', CHANGES = '50'] = process.argv.slice(2)
const DELIVERIES = 1_000_000
const SLOWED = 4
const PARTS = 10

if (!existsSync(path.join(FOLDER, 'filled'))) {
  console.error('Fill a folder first: npm run bench:inbox -- 1000000 1 0 FOLDER')
  process.exit(1)
}
const postgres = await startEmbeddedPostgres({
  dataFolder: FOLDER,
  settings: { max_wal_size: '8GB' },
})
const { host, user, database } = postgres.connection
const env = {
  DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
  DATA_FOLDER: FOLDER,
  DEMONSTRATION: 'off',
  EGRESS_ALLOW: '127.0.0.0/8',
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  LOG_LEVEL: 'error',
  PORT: '0',
}
const client = new pg.Client({ ...postgres.connection })
await client.connect()
const company = await largeCompany()
if (!existsSync(path.join(FOLDER, 'filled-log'))) await fillLog()
const cookie = await signIn()
const service = await startWholeService(env, [])
const browser = await startBrowser()
try {
  await measure('inbox', 'ul li a')
  await measure('webhooks/deliveries', 'tbody tr')
  if (Number(MINUTES) > 0) await stayOpen()
} finally {
  await browser.close()
  await service.stop()
  await client.end()
  await postgres.stop()
}

async function largeCompany() {
  const { rows } = await client.query<{ companyId: string; accountId: string; personId: string }>(
    `select c.company_id as "companyId", company.account_id as "accountId",
      (select min(assignee_id::text) from conversation x where x.company_id = c.company_id) as "personId"
    from conversation c join company on company.id = c.company_id where c.id = 'c_0_1'`,
  )
  return rows[0]!
}

/** Inserts the deliveries of the last week, of which one in fifty has failed. */
async function fillLog(): Promise<void> {
  await client.query('set session_replication_role = replica; set statement_timeout = 0')
  const { rows } = await client.query<{ id: string }>(
    'select id from endpoint where company_id = $1 limit 1',
    [company.companyId],
  )
  await client.query(
    `create temp table made as
      select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000'
          || 'a' || substr(md5(n::text), 1, 15))::uuid as id, at, n
      from (select now() - ($1 - n) * interval '7 days' / $1 as at, n from generate_series(1, $1) n) made`,
    [DELIVERIES],
  )
  await client.query(`select make_day(current_date - day) from generate_series(0, 7) day`)
  await client.query(
    `insert into event (id, company_id, type, occurred_at)
      select id, $1, (array['message.received', 'contact.updated', 'flow.completed'])[n % 3 + 1], at
      from made`,
    [company.companyId],
  )
  await client.query(
    `insert into webhook_delivery (id, company_id, endpoint_id, event_id, api_version, kind, body_id, state,
        attempts, last_status, last_error, last_ms, created_at, ended_at)
      select id, $1, $2, id, (select api_version from endpoint where id = $2), 'event', id,
        case when n % 50 = 0 then 'dead_lettered' else 'delivered' end, case when n % 50 = 0 then 8 else 1 end,
        case when n % 50 = 0 then 500 else 200 end, case when n % 50 = 0 then 'status' end, 20 + n % 100, at, at
      from made`,
    [company.companyId, rows[0]!.id],
  )
  await client.query('drop table made; set session_replication_role = origin')
  await client.query('vacuum (analyze) event, webhook_delivery')
  writeFileSync(path.join(FOLDER, 'filled-log'), '')
}

async function signIn(): Promise<string> {
  const setUp = await createService(readConfig(env, [], FOLDER))
  const { db, ids, clock } = setUp.context
  const carrier = { carrier: 'cookie', userAgent: 'bench', device: null } as const
  const { token } = await transaction(db, (tx) =>
    startSession(
      tx,
      { ids, now: clock.now() },
      { personId: company.personId, accountId: company.accountId, client: carrier },
    ),
  )
  await setUp.stop()
  return token
}

type Opened = { page: Page; session: CDPSession; close(): Promise<void> }

/** Opens a page in a new browser profile without a cache, on a processor that is slowed down. */
async function open(from: Browser, slowed: number): Promise<Opened> {
  const context = await from.newContext({ viewport: { width: 1_440, height: 900 } })
  await context.addCookies([{ name: 'sid', value: cookie, url: service.origin, httpOnly: true }])
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowed })
  return { page, session, close: () => context.close() }
}

async function measure(at: string, row: string): Promise<void> {
  const first: number[] = []
  const keys: number[] = []
  for (let round = 0; round < Number(ROUNDS); round += 1) {
    const { page, close } = await open(browser, SLOWED)
    await page.addInitScript(watchPage, row)
    await page.goto(`${service.origin}/p/${company.companyId}/${at}`, { waitUntil: 'commit' })
    await page.waitForFunction(() => 'firstRowMs' in globalThis, null, { timeout: 60_000 })
    first.push(await page.evaluate(() => (globalThis as unknown as Watched).firstRowMs))
    await page.waitForTimeout(1_000)
    for (const key of ['j', 'j', 'j', 'k']) await press(page, key)
    await page.getByRole('searchbox').first().focus()
    for (const key of 'order 1') await press(page, key)
    keys.push(...(await page.evaluate(() => (globalThis as unknown as Watched).keysMs)))
    await close()
  }
  console.log(
    `${at}: first rows ${middle(first)} ms, worst ${Math.max(...first).toFixed(0)}; ` +
      `a key ${middle(keys)} ms, worst ${Math.max(...keys).toFixed(0)} of ${keys.length}; load ${loadavg()[0]!.toFixed(1)}`,
  )
}

async function press(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key === ' ' ? 'Space' : key)
  await page.waitForTimeout(120)
}

type Watched = { firstRowMs: number; keysMs: number[] }

/** Runs in the page: records when a row is painted, and the time from each key press to its painted effect. */
function watchPage(row: string): void {
  const page = globalThis as unknown as Watched & {
    document: { querySelector(of: string): unknown; documentElement: object }
    requestAnimationFrame(then: () => void): void
    MutationObserver: new (then: () => void) => {
      observe(of: object, what: object): void
      disconnect(): void
    }
  }
  page.keysMs = []
  const changes = new page.MutationObserver(() => {
    if (!page.document.querySelector(row)) return
    changes.disconnect()
    page.requestAnimationFrame(() => setTimeout(() => (page.firstRowMs = performance.now())))
  })
  changes.observe(page.document, { childList: true, subtree: true })
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) {
      if (name === 'keydown') page.keysMs.push(duration)
    }
  }).observe({ type: 'event', durationThreshold: 16 } as never)
}

/** Measures the tab's heap while conversations at the top of the list change. */
async function stayOpen(): Promise<void> {
  const { page, session, close } = await open(browser, 1)
  await page.goto(`${service.origin}/p/${company.companyId}/inbox`)
  await page.locator('ul li a').first().waitFor()
  const everyMs = 1_000 / Number(CHANGES)
  const partMs = (Number(MINUTES) * 60_000) / PARTS
  let changes = 0
  for (let part = 1; part <= PARTS; part += 1) {
    const startMs = performance.now()
    for (let made = 0; performance.now() - startMs < partMs; made += 1) {
      await client.query(
        `update conversation set last_message_at = now() where id = 'c_0_' || (1 + $1 % 200)::text`,
        [changes],
      )
      changes += 1
      const restMs = startMs + (made + 1) * everyMs - performance.now()
      if (restMs > 0) await page.waitForTimeout(restMs)
    }
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    const { nodes } = await session.send('Memory.getDOMCounters')
    console.log(
      `${((part * Number(MINUTES)) / PARTS).toFixed(1)} min, ${changes} changes: ` +
        `${(usedSize / 1_048_576).toFixed(1)} MB of scripts, ${nodes} nodes of the page`,
    )
  }
  await close()
}

function middle(values: number[]): string {
  return values.toSorted((a, b) => a - b)[values.length >> 1]?.toFixed(0) ?? 'none'
}
