/**
 * Measures the pages of the inbox and the contacts over HTTP, for one member at a time, through the whole service. A
 * new embedded PostgreSQL has a company with 1,000,000 contacts, as many conversations and 10,000,000 messages, and
 * smaller ones. Then PAIRS of rounds compare another shop's hooks and deliveries without and with a reading member.
 *
 *   npm run bench:inbox [-- CONTACTS [ROUNDS [PAIRS [FOLDER]]]]
 *
 * A full run needs about 20 GB of disk and ten minutes; 100,000 contacts about a minute. A FOLDER is filled once,
 * kept, and measured again. Pages that this version lacks are reported as missing.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { readConfig } from '../src/app/config.ts'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import { createService } from '../src/app/create-service.ts'
import { startSession } from '../src/modules/accounts/start-session.ts'
import { transaction } from '../src/infra/database/transaction.ts'
import { apiRequest, signedIn } from '../test/support/dashboard.ts'
import { startTestReceiver } from '../test/support/receiver.ts'
import { createShop } from '../test/support/shop.ts'
import { createBackgroundHooks, type BackgroundHooks } from './background-hooks.ts'
import { bytesFor, fillInbox } from './inbox-data.sql.ts'
import { liftLimits, startWholeService } from './whole-service.ts'

const CONTACTS = Number(process.argv[2] ?? 1_000_000)
const ROUNDS = Number(process.argv[3] ?? 100)
const PAIRS = Number(process.argv[4] ?? 5)
const KEPT_FOLDER = process.argv[5]
const ROUND_MS = 15_000
const HOOKS_PER_SECOND = 40
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
const log = (line: string) => {
  console.log(`${((performance.now() - startedAtMs) / 1_000).toFixed(0).padStart(5)} s  ${line}`)
}
const folder = KEPT_FOLDER ?? mkdtempSync(path.join(tmpdir(), 'wasla-inbox-'))
const isFilled = existsSync(path.join(folder, 'filled'))
mkdirSync(folder, { recursive: true })
const settings = { max_wal_size: '8GB' }
const postgres = await startEmbeddedPostgres({ dataFolder: folder, settings })
const { host, user, database } = postgres.connection
const receiver = await startTestReceiver()
const caFile = path.join(folder, 'ca.pem')
writeFileSync(caFile, receiver.certificate)
const env = {
  DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
  DATA_FOLDER: folder,
  DEMONSTRATION: 'off',
  EGRESS_ALLOW: '127.0.0.0/8',
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  EXTRA_CA_FILE: caFile,
  LOG_LEVEL: 'error',
  PORT: '0',
  TRUSTED_PROXIES: '127.0.0.0/8',
}
const service = await createService(readConfig(env, [], folder))
let isFailed = false
try {
  if (!isFilled) await fill()
  if (!KEPT_FOLDER || isFilled) {
    await measure()
    if (PAIRS > 0) await measureHooksWithReader()
  }
} catch (error) {
  isFailed = true
  console.error(error)
} finally {
  await service.stop()
  await receiver.close()
  await postgres.stop()
  if (!KEPT_FOLDER)
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}
process.exit(isFailed ? 1 : 0)

async function fill(): Promise<void> {
  const url = ''
  const shops = []
  for (let place = 0; place < COMPANIES; place += 1) {
    const ids = { phoneNumberId: `1000${place}`, businessAccountId: `2000${place}` }
    shops.push(await createShop({ service, receiver, url }, ids))
  }
  const { accountId } = shops[0]!
  const members = []
  for (let place = 0; place < MEMBERS; place += 1) {
    members.push(await signedIn({ service, url }, { accountId }))
  }
  const people = members.map(({ personId }) => personId)
  const client = new pg.Client({ ...postgres.connection })
  // The loss of the connection is reported by the next query.
  client.on('error', () => {})
  await client.connect()
  await fillInbox(
    client,
    shops.map((shop) => ({ companyId: shop.companyId, channelId: shop.channelId, people })),
    CONTACTS,
    log,
  )
  const { rows } = await client.query<{ size: number }>(
    'select pg_database_size(current_database())::float8 as size',
  )
  await client.end()
  writeFileSync(path.join(folder, 'filled'), '')
  log(`${inGigabytes(rows[0]!.size)} in the database`)
}

/** Returns a function that sends requests as a member of the large company. */
async function memberAsks(url: string): Promise<(at: string) => Promise<Answer>> {
  const { db } = service.context
  const { companyId, accountId } = await db.kysely
    .selectFrom('conversation')
    .innerJoin('company', 'company.id', 'conversation.companyId')
    .select(['companyId', 'accountId'])
    .where('conversation.id', '=', 'c_0_1')
    .executeTakeFirstOrThrow()
  const { personId } = await db.kysely
    .selectFrom('conversation')
    .select('assigneeId as personId')
    .where('companyId', '=', companyId)
    .where('assigneeId', 'is not', null)
    .limit(1)
    .executeTakeFirstOrThrow()
  const { ids, clock } = service.context
  const client = { carrier: 'bearer', userAgent: 'bench', device: null } as const
  const { token } = await transaction(db, (tx) =>
    startSession(tx, { ids, now: clock.now() }, { personId: personId!, accountId, client }),
  )
  const headers = { authorization: `Bearer ${token}` }
  return (at) => apiRequest<Page>(url, 'GET', `/companies/${companyId}${at}`, { headers })
}

/** Measures rounds of hooks without and with a member who reads one page after the other. */
async function measureHooksWithReader(): Promise<void> {
  const nth = Date.now() % 1_000_000
  const shop = await createShop(
    { service, receiver, url: '' },
    { phoneNumberId: `3${nth}`, businessAccountId: `4${nth}` },
  )
  await liftLimits(service.context.db.pool)
  const { origin, stop } = await startWholeService(env, [shop])
  const hooks = createBackgroundHooks(
    `${origin}/hooks/${shop.hookToken}`,
    receiver,
    HOOKS_PER_SECOND,
  )
  const ask = await memberAsks(origin)
  await hooks(5_000)
  const rounds: { alone: BackgroundHooks; together: BackgroundHooks }[] = []
  for (let round = 0; round < PAIRS; round += 1) {
    const alone = await hooks(ROUND_MS)
    let isReading = true
    const read = readPages(ask, () => isReading)
    const together = await hooks(ROUND_MS)
    isReading = false
    console.log(JSON.stringify({ alone, together, pages: await read }))
    rounds.push({ alone, together })
  }
  for (const key of ['hooks', 'deliveries', 'p95Ms'] as const) {
    const of = rounds.map(({ alone, together }) => together[key] / alone[key])
    const middle = of.toSorted((a, b) => a - b)[of.length >> 1]!
    console.log(
      `${key} with a reading member, as a share of those without, median: ${middle.toFixed(2)}`,
    )
  }
  await stop()
}

/** Reads pages until it is stopped, and returns their number. */
async function readPages(
  ask: (at: string) => Promise<Answer>,
  isOn: () => boolean,
): Promise<number> {
  let read = 0
  for (let round = 0; isOn(); round += 1) {
    for (const at of Object.values(pages())) {
      if (isOn() && (await ask(at(round))).status === 200) read += 1
    }
  }
  return read
}

async function measure(): Promise<void> {
  const ask = await memberAsks(`http://127.0.0.1:${await service.listen()}`)
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

/** Returns the addresses of members' pages by the round: each round uses another one of its kind. */
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

/** Returns the address of a page after a number of pages. */
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
