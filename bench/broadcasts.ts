/**
 * Broadcasts: how long the recipients of 500,000 contacts take to be written down, how long the next 50 take to
 * be read behind 250,000 that are done, and whether the pace is kept to RECIPIENTS of the simulator while hooks
 * come in beside, with the rate of the hooks and their deliveries with and without it.
 *
 *   npm run bench:broadcasts [-- RECIPIENTS [CONTACTS]]
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { nextRecipients, readRecipients } from '../src/broadcasts/read-recipients.sql.ts'
import { stepBroadcasts } from '../src/broadcasts/step-broadcasts.ts'
import { startSimulator } from '../src/simulator/start-simulator.ts'
import { readConfig } from '../src/config.ts'
import { startEmbeddedPostgres } from '../src/database/embedded/start-embedded-postgres.ts'
import { transaction } from '../src/database/transaction.ts'
import { createService } from '../src/service.ts'
import { askHook, ORDER } from '../test/support/ask-hook.ts'
import { startTestReceiver } from '../test/support/receiver.ts'
import { ACCESS_TOKEN, APP_SECRET, createShop } from '../test/support/shop.ts'
import { approved } from '../test/support/simulator.ts'

const RECIPIENTS = Number(process.argv[2] ?? 20_000)
const CONTACTS = Number(process.argv[3] ?? 500_000)
const PER_SECOND = 50
const BESIDE_MS = 20_000
/** Hooks a second: what a busy shop sends. */
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
// How many requests pass in a minute is not what is measured here.
await context.db.pool.query(`
  create function forget() returns trigger language plpgsql
    as $$ begin new.requests := 0; return new; end $$;
  create trigger forget before insert or update on hook_url_count
    for each row execute function forget();
  create trigger forget before insert or update on company_hook_count
    for each row execute function forget()`)
const around = { service: builder, receiver, url: '' }
const shop = await createShop(around, { phoneNumberId: '10001', businessAccountId: '20001' })
const beside = await createShop(around, { phoneNumberId: '10002', businessAccountId: '20002' })
const links = { keyRing: builder.keyRing, publicUrl: () => 'https://wasla.example' }

async function addContacts(tag: string, count: number, prefix: string): Promise<void> {
  for (let from = 0; from < count; from += PAGE) {
    await sql`
      insert into contact (id, company_id, name, phone, tags, created_at, updated_at)
      select new_uuid_v7(now()), ${shop.companyId}, 'Sara', ${prefix} || (2000001 + nth * 10),
        array[${tag}::text], now(), now()
      from generate_series(${from + 1}::int, ${Math.min(count, from + PAGE)}::int) as nth`.execute(
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
    await stepBroadcasts(context, links)
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
  await sql`update broadcast set place = ${done}, state = 'paused', due_at = null
    where id = ${id}`.execute(context.db.kysely)
  const times: number[] = []
  for (let nth = 0; nth < 20; nth += 1) {
    const row = { ...(await stateOf(id)), place: done + nth * 50 }
    const at = performance.now()
    await transaction(context.db, (tx) => readRecipients(tx, row, nextRecipients(row, 50)))
    times.push(performance.now() - at)
  }
  const [median, most] = [times.toSorted((a, b) => a - b)[10]!, Math.max(...times)]
  console.log(
    `the next 50 behind ${done} that are done: median ${median.toFixed(1)} ms, slowest ${most.toFixed(1)} ms`,
  )
}

async function atItsPace(): Promise<void> {
  const simulator = await startSimulator({
    port: 0,
    journalFile: null,
    clock: { now: () => new Date() },
    stepMs: 200,
    log: () => {},
    numbers: [],
  })
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, '../test/support/killable-process.ts')],
    {
      env: { PATH: process.env.PATH, ...env, SIMULATOR_URL: simulator.graphBaseUrl },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  child.stdin.write('{}\n')
  const port = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const ready = /^ready (\d+)$/.exec(line)?.[1]
      if (ready) resolve(ready)
    })
  })
  for (const { phoneNumberId, businessAccountId } of [shop, beside]) {
    simulator.addNumber({
      phoneNumberId,
      businessAccountId,
      displayPhoneNumber: '15550783881',
      verifiedName: 'Shop',
      accessToken: ACCESS_TOKEN,
      appSecret: APP_SECRET,
      webhookUrl: `http://127.0.0.1:${port}/webhooks/whatsapp`,
      templates: ['ar', 'en'].map((language) => approved('order_ready', language)),
    })
  }
  const alone = await hooksFor(port, BESIDE_MS)
  await addContacts('some', RECIPIENTS, '+96650')
  const id = await addBroadcast({ tags: ['some'] })
  await sql`notify wasla_work`.execute(context.db.kysely)
  const sent = () =>
    simulator.messages().filter(({ phoneNumberId }) => phoneNumberId === shop.phoneNumberId)
  while (sent().length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  const together = await hooksFor(port, BESIDE_MS)
  const endsAt = performance.now() + (RECIPIENTS / PER_SECOND) * 2_000 + 30_000
  while ((await stateOf(id)).state !== 'done' && performance.now() < endsAt) {
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  const times = sent().map(({ at }) => at.getTime())
  const rate = (times.length - 1) / ((Math.max(...times) - Math.min(...times)) / 1_000)
  const off = (rate / PER_SECOND - 1) * 100
  console.log(
    `${times.length} of ${RECIPIENTS} sent at ${rate.toFixed(2)} a second, ${off.toFixed(1)} % off the pace`,
  )
  for (const [name, kept] of [
    ['hooks', together.hooks / alone.hooks],
    ['deliveries', together.deliveries / alone.deliveries],
  ] as const) {
    console.log(`${name} keep ${kept.toFixed(2)} of their rate beside it`)
  }
  console.log(JSON.stringify({ alone, together }))
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
  await simulator.close()
}

let orders = 0
/** Answered hooks and deliveries that came, a second. */
async function hooksFor(port: string, forMs: number) {
  const begin = performance.now()
  const before = receiver.received.length
  let answered = 0
  const asking: Promise<void>[] = []
  while (performance.now() - begin < forMs) {
    orders += 1
    const phone = `+96655${String(2_000_001 + orders * 10)}`
    const order = { ...ORDER, customer: { ...ORDER.customer, phone } }
    const from = { 'x-forwarded-for': `198.18.${(orders >> 6) & 255}.${orders & 63}` }
    asking.push(
      askHook(`http://127.0.0.1:${port}/hooks/${beside.hookToken}`, order, from).then(
        ({ http }) => {
          if (http === 202) answered += 1
        },
      ),
    )
    await new Promise((resolve) => setTimeout(resolve, 1_000 / HOOKS_PER_SECOND))
  }
  await Promise.all(asking)
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const seconds = forMs / 1_000
  return { hooks: answered / seconds, deliveries: (receiver.received.length - before) / seconds }
}

try {
  await snapshot()
  await atItsPace()
} finally {
  await builder.stop()
  await receiver.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
