/**
 * How long a member waits for a page of the inbox or of the contacts: a company with 1,000,000 contacts, as
 * many conversations and 10,000,000 messages, beside others, in an embedded PostgreSQL that is made for it and
 * removed again; asked over HTTP, through the whole service, by one member at a time.
 *
 *   npm run bench:inbox [-- CONTACTS [ROUNDS]]
 *
 * A full run needs about 20 GB of disk and ten minutes; 100,000 contacts about a minute. What this
 * version does not answer is said to be missing.
 */
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { readConfig } from '../src/config.ts'
import { startEmbeddedPostgres } from '../src/database/embedded/start-embedded-postgres.ts'
import { createService } from '../src/service.ts'
import { signedIn } from '../test/support/dashboard.ts'
import { startTestReceiver } from '../test/support/receiver.ts'
import { createShop } from '../test/support/shop.ts'
import { bytesFor, fillInbox } from './inbox-data.sql.ts'

const CONTACTS = Number(process.argv[2] ?? 1_000_000)
const ROUNDS = Number(process.argv[3] ?? 100)
const WARM_UP = 10
const COMPANIES = 11
const MEMBERS = 20

const { bavail, bsize } = statfsSync(tmpdir())
const needed = bytesFor(CONTACTS)
const inGigabytes = (bytes: number) => `${(bytes / 1_073_741_824).toFixed(1)} GB`
if (bavail * bsize < 1.5 * needed) {
  console.error(
    `${tmpdir()} has ${inGigabytes(bavail * bsize)} free, and this needs ${inGigabytes(1.5 * needed)}. Give it fewer contacts: npm run bench:inbox -- 100000`,
  )
  process.exit(1)
}

const startedAtMs = performance.now()
const tell = (line: string) => {
  console.log(`${((performance.now() - startedAtMs) / 1_000).toFixed(0).padStart(5)} s  ${line}`)
}
const folder = mkdtempSync(path.join(tmpdir(), 'wasla-inbox-'))
const settings = { max_wal_size: '8GB' }
const postgres = await startEmbeddedPostgres({ dataFolder: folder, settings })
const { host, user, database } = postgres.connection
const receiver = await startTestReceiver()
const service = await createService(
  readConfig(
    {
      DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
      DATA_FOLDER: folder,
      DEMONSTRATION: 'off',
      LOG_LEVEL: 'warn',
      PORT: '0',
    },
    [],
    folder,
  ),
)
let isFailed = false
try {
  await measure()
} catch (error) {
  isFailed = true
  console.error(error)
} finally {
  await service.stop()
  await receiver.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}
process.exit(isFailed ? 1 : 0)

async function measure(): Promise<void> {
  const url = `http://127.0.0.1:${await service.listen()}`
  const shops = []
  for (let place = 0; place < COMPANIES; place += 1) {
    const ids = { phoneNumberId: `1000${place}`, businessAccountId: `2000${place}` }
    shops.push(await createShop({ service, receiver, url }, ids))
  }
  const { accountId, companyId } = shops[0]!
  const members = []
  for (let place = 0; place < MEMBERS; place += 1) {
    members.push(await signedIn({ service, url }, { accountId }))
  }
  const people = members.map(({ personId }) => personId)
  const client = new pg.Client({ ...postgres.connection })
  // Its end is told where it is asked for something.
  client.on('error', () => {})
  await client.connect()
  await fillInbox(
    client,
    shops.map((shop) => ({ companyId: shop.companyId, channelId: shop.channelId, people })),
    CONTACTS,
    tell,
  )
  const { rows } = await client.query<{ size: number }>(
    'select pg_database_size(current_database())::float8 as size',
  )
  await client.end()
  tell(`${inGigabytes(rows[0]!.size)} in the database`)

  const [member] = members
  const company = `/companies/${companyId}`
  const ask = (at: string) => member!.ask<Page>('GET', `${company}${at}`)
  console.log(
    `\n${'ms'.padEnd(46)}${['median', 'p95', 'worst'].map((of) => of.padStart(9)).join('')}`,
  )
  for (const [what, at] of Object.entries(pages())) {
    const first = await ask(at(0))
    if (first.status === 404) console.log(`${what.padEnd(46)}  not there`)
    else await time(what, (round) => ask(at(round)))
  }
  await time('conversations: tenth page', async () => {
    const deep = await pageAfter(ask, '/conversations?tab=open&limit=50', 9)
    return { ask: () => ask(deep) }
  })
  await time('timeline: tenth page of a long one', async () => {
    const deep = await pageAfter(ask, '/conversations/c_0_1/timeline?limit=50', 9)
    return { ask: () => ask(deep) }
  })
  console.log(`\n${CONTACTS} contacts, ${ROUNDS} rounds; load average ${loadavg()[0]!.toFixed(1)}`)
}

type Page = { nextCursor?: string | null }
type Answer = { status: number; body: Page }

/** The pages that members look at, by the round that asks: each round another one of its kind. */
function pages(): Record<string, (round: number) => string> {
  const one = (round: number) => 1 + ((round * 104_729) % CONTACTS)
  const list = (query: string) => () => `/conversations?limit=50&${query}`
  const search = (words: string[]) => (round: number) =>
    `/contacts?limit=50&q=${encodeURIComponent(words[round % words.length]!)}`
  return {
    'conversations: open': list('tab=open'),
    'conversations: mine': list('tab=mine'),
    'conversations: unassigned': list('tab=unassigned'),
    'conversations: staff': list('tab=staff'),
    'conversations: assistant': list('tab=assistant'),
    'conversations: resolved': list('tab=resolved'),
    'conversations: unassigned, closing first': list('tab=unassigned&sort=closing'),
    'conversations: staff, by reason': list('tab=staff&reason=customer_upset'),
    'conversations: open, by tag': list('tab=open&tag=vip'),
    'conversations: a name': (round) =>
      `/conversations?limit=50&q=${encodeURIComponent(['سارة الحربي', 'Omar Smith'][round % 2]!)}`,
    'conversations: counts': () => '/conversations/counts',
    'a conversation': (round) => `/conversations/c_0_${one(round)}`,
    timeline: (round) => `/conversations/c_0_${one(round)}/timeline?limit=50`,
    'timeline: of a long one': (round) =>
      `/conversations/c_0_${1 + (round % 50)}/timeline?limit=50`,
    'contacts: all': () => '/contacts?limit=50',
    'contacts: by tag': () => '/contacts?limit=50&tag=vip',
    'contacts: Arabic name': search(['سارة الحربي', 'فاطمه', 'عبدالله خوري', 'القحطاني']),
    'contacts: English name': search(['Omar Smith', 'nadia', 'garcia maria', 'müller']),
    'contacts: three letters': search(['ahm', 'سار', 'oma', 'خال']),
    'contacts: a number': (round) =>
      `/contacts?q=${encodeURIComponent(`+9665${String(one(round)).padStart(8, '0')}`)}`,
    'contacts: an e-mail address': (round) => `/contacts?q=customer${one(round) & ~3}@example.com`,
  }
}

/** The address of the page that comes after so many others. */
async function pageAfter(
  ask: (at: string) => Promise<Answer>,
  at: string,
  pagesBefore: number,
): Promise<string> {
  let here = at
  for (let page = 0; page < pagesBefore; page += 1) {
    const { nextCursor } = (await ask(here)).body ?? {}
    if (!nextCursor) break
    here = `${at}&cursor=${encodeURIComponent(nextCursor)}`
  }
  return here
}

async function time(
  what: string,
  work: (round: number) => Promise<Answer | { ask: () => Promise<Answer> }>,
): Promise<void> {
  const first = await work(0)
  const ask = 'ask' in first ? first.ask : (work as (round: number) => Promise<Answer>)
  const took: number[] = []
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const fromMs = performance.now()
    const { status, body } = await ask(round)
    if (status !== 200 && round >= WARM_UP) {
      console.log(`${what.padEnd(46)}  answered ${status} ${JSON.stringify(body)}`)
      return
    }
    if (round >= WARM_UP) took.push(performance.now() - fromMs)
  }
  took.sort((a, b) => a - b)
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))]!
  const cells = [at(0.5), at(0.95), took.at(-1)!].map((ms) => ms.toFixed(1).padStart(9))
  console.log(`${what.padEnd(46)}${cells.join('')}`)
}
