/**
 * Measures broadcasts: writing the recipients of 500,000 contacts, and reading the next 50 behind 250,000 done ones.
 * It checks the rate for RECIPIENTS of the simulator under hooks. PAIRS of rounds compare hooks and deliveries
 * without and with it.
 *
 *   npm run bench:broadcasts [-- RECIPIENTS [CONTACTS [PAIRS]]]
 *
 * 0 leaves a part out. 20,000 recipients take seven minutes.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  selectNextRecipients,
  readRecipients,
} from '../src/modules/broadcasts/read-recipients.sql.ts'
import { processDuePages } from '../src/infra/database/queues/pages.ts'
import { BROADCAST_JOBS } from '../src/modules/broadcasts/broadcast-job.ts'
import { readConfig } from '../src/app/config.ts'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import { transaction } from '../src/infra/database/transaction.ts'
import { createService } from '../src/app/create-service.ts'
import { startTestReceiver } from '../test/support/receiver.ts'
import { createShop } from '../test/support/shop.ts'
import { createBackgroundHooks, type BackgroundHooks } from './background-hooks.ts'
import { liftLimits, startWholeService } from './whole-service.ts'

const RECIPIENTS = Number(process.argv[2] ?? 20_000)
const CONTACTS = Number(process.argv[3] ?? 500_000)
const PAIRS = Number(process.argv[4] ?? 5)
const PER_SECOND = 50
const ROUND_MS = 15_000
/** Hooks a second of a busy shop. */
const HOOKS_PER_SECOND = 40
const PAGE = 10_000

const folder = mkdtempSync(path.join(tmpdir(), 'wasla-bench-'))
const postgres = await startEmbeddedPostgres({ dataFolder: folder })
const { host, user, database } = postgres.connection
const receiver = await startTestReceiver()
const caFile = path.join(folder, 'ca.pem')
writeFileSync(caFile, receiver.certificate)
const env = {
  DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
  DATA_FOLDER: folder,
  DEMONSTRATION: 'off',
  EGRESS_ALLOW: '127.0.0.0/8',
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  EXTRA_CA_FILE: caFile,
  LOG_LEVEL: 'error',
  PORT: '0',
  TRUSTED_PROXIES: '127.0.0.0/8',
}
const builder = await createService(readConfig(env, [], folder))
const { context } = builder
await builder.listen()
const around = { service: builder, receiver, url: '' }
const shop = await createShop(around, { phoneNumberId: '10001', businessAccountId: '20001' })
const hookShop = await createShop(around, { phoneNumberId: '10002', businessAccountId: '20002' })
await liftLimits(context.db.pool)
const links = { keyRing: builder.keyRing, publicUrl: () => 'https://wasla.example' }

async function addContacts(tag: string, count: number, prefix: string): Promise<void> {
  for (let from = 0; from < count; from += PAGE) {
    await sql`
      with made as (
        insert into contact (id, company_id, name, phone, tags, created_at, updated_at)
        select new_uuid_v7(now()), ${shop.companyId}, 'Sara', ${prefix} || (2000001 + nth * 10),
          array[${tag}::text], now(), now()
        from generate_series(${from + 1}::int, ${Math.min(count, from + PAGE)}::int) as nth
        returning id, company_id, phone
      ), identified as (
        insert into identity (id, company_id, contact_id, created_at)
        select id, company_id, id, now() from made
      )
      insert into identifier (company_id, identity_id, kind, key, value, proof, first_at)
      select company_id, id, 'number', substr(phone, 2), substr(phone, 2), 'import', now() from made`.execute(
      context.db.kysely,
    )
  }
  await sql`insert into contact_tag values (${shop.companyId}, ${tag})`.execute(context.db.kysely)
}

async function addBroadcast(filter: object): Promise<string> {
  const id = context.ids.uuid()
  const now = context.clock.now()
  const body = ['{{contact.name}}', '7'].map((text, nth) => ({ name: `${nth + 1}`, text }))
  await context.db.kysely
    .insertInto('broadcast')
    .values({
      id,
      companyId: shop.companyId,
      channelId: shop.channelId,
      name: 'News',
      template: JSON.stringify({ name: 'order_ready', body, header: null, urlSuffixes: [] }),
      audience: JSON.stringify({ kind: 'filter', filter }),
      perSecond: PER_SECOND,
      state: 'scheduled',
      dueAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  return id
}

const stateOf = (id: string) =>
  context.db.kysely
    .selectFrom('broadcast')
    .select(['state', 'total', 'companyId', 'channelId', 'id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

async function snapshot(): Promise<void> {
  await addContacts('many', CONTACTS, '+9665')
  await sql`analyze contact`.execute(context.db.kysely)
  const id = await addBroadcast({ tags: ['many'] })
  const begin = performance.now()
  let slowest = 0
  while ((await stateOf(id)).state !== 'sending') {
    const at = performance.now()
    await processDuePages({ ...context, ...links }, BROADCAST_JOBS)
    slowest = Math.max(slowest, performance.now() - at)
  }
  const seconds = (performance.now() - begin) / 1_000
  const { total } = await stateOf(id)
  console.log(
    `${total} recipients written down in ${seconds.toFixed(1)} s, the slowest page ${slowest.toFixed(0)} ms`,
  )
  const done = Math.floor(CONTACTS / 2)
  for (let from = 0; from < done; from += PAGE) {
    await sql`update broadcast_recipient set skip_reason = 'opted_out'
      where broadcast_id = ${id} and number > ${from}
        and number <= ${Math.min(done, from + PAGE)}`.execute(context.db.kysely)
  }
  await sql`update broadcast set enqueued_to = ${done}, state = 'paused', due_at = null
    where id = ${id}`.execute(context.db.kysely)
  const times: number[] = []
  for (let nth = 0; nth < 20; nth += 1) {
    const row = { ...(await stateOf(id)), enqueuedTo: done + nth * 50 }
    const at = performance.now()
    await transaction(context.db, (tx) => readRecipients(tx, row, selectNextRecipients(row, 50)))
    times.push(performance.now() - at)
  }
  const [median, max] = [times.toSorted((a, b) => a - b)[10]!, Math.max(...times)]
  console.log(
    `the next 50 behind ${done} that are done: median ${median.toFixed(1)} ms, slowest ${max.toFixed(1)} ms`,
  )
}

async function atItsPace(): Promise<void> {
  const { origin, simulator, stop } = await startWholeService(env, [shop, hookShop])
  const hooks = createBackgroundHooks(
    `${origin}/hooks/${hookShop.hookToken}`,
    receiver,
    HOOKS_PER_SECOND,
  )
  // The simulator forgets the oldest ones before 20,000 are sent.
  const seen = new Map<string, number>()
  const sentAt = () => {
    for (const { wamid, phoneNumberId, at } of simulator.messages()) {
      if (phoneNumberId === shop.phoneNumberId) seen.set(wamid, at.getTime())
    }
    return [...seen.values()]
  }
  const looking = setInterval(sentAt, 5_000)
  /** Sends a broadcast to its end, with concurrent hooks for `hooksMs`. */
  async function sendTo(tag: string, recipients: number, hooksMs: number) {
    const before = sentAt().length
    const id = await addBroadcast({ tags: [tag] })
    await sql`notify wasla_work`.execute(context.db.kysely)
    while (sentAt().length === before) await pause(50)
    const kept = await hooks(hooksMs)
    const endsAt = performance.now() + (recipients / PER_SECOND) * 2_000 + 30_000
    while ((await stateOf(id)).state !== 'done' && performance.now() < endsAt) await pause(500)
    const times = sentAt().slice(before)
    const rate = (times.length - 1) / ((Math.max(...times) - Math.min(...times)) / 1_000)
    console.log(
      `${times.length} of ${recipients} sent at ${rate.toFixed(2)} a second, ${((rate / PER_SECOND - 1) * 100).toFixed(1)} % off the pace`,
    )
    return kept
  }
  await paired(hooks, sendTo)
  if (RECIPIENTS > 0) {
    await addContacts('some', RECIPIENTS, '+96650')
    console.log(JSON.stringify(await sendTo('some', RECIPIENTS, (RECIPIENTS / PER_SECOND) * 950)))
  }
  clearInterval(looking)
  await stop()
}

async function paired(
  hooks: (forMs: number) => Promise<BackgroundHooks>,
  sendTo: (tag: string, recipients: number, hooksMs: number) => Promise<BackgroundHooks>,
): Promise<void> {
  if (PAIRS === 0) return
  const recipients = (PER_SECOND * (ROUND_MS + 3_000)) / 1_000
  await addContacts('few', recipients, '+96651')
  await hooks(5_000)
  const rounds: { alone: BackgroundHooks; together: BackgroundHooks }[] = []
  for (let round = 0; round < PAIRS; round += 1) {
    const alone = await hooks(ROUND_MS)
    const together = await sendTo('few', recipients, ROUND_MS)
    rounds.push({ alone, together })
    console.log(JSON.stringify({ alone, together }))
  }
  for (const key of ['hooks', 'deliveries', 'p95Ms'] as const) {
    const of = rounds.map(({ alone, together }) => together[key] / alone[key])
    const middle = of.toSorted((a, b) => a - b)[of.length >> 1]!
    console.log(
      `${key} during a broadcast, as a share of those without, median: ${middle.toFixed(2)}`,
    )
  }
}

try {
  if (CONTACTS > 0) await snapshot()
  await atItsPace()
} finally {
  await builder.stop()
  await receiver.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
