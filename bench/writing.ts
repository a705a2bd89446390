/**
 * Measures what a hook journey writes into PostgreSQL: hook → run → template at WhatsApp → run ended and receipts →
 * three signed events received. With `answered` the run waits for the customer's answer, and there are five events.
 * Results per journey are rows that were inserted, updated (and how many of these were HOT) and deleted, the
 * write-ahead log by record, table and index, the bytes on disk after a vacuum, and the scans of each index.
 *
 *   npm run bench:writing [-- JOURNEYS [AT_ONCE [answered]]]
 *
 * Page images after a checkpoint are counted separately. The first are written while the tables are small, and no
 * checkpoint runs during the count.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { readConfig } from '../src/app/config.ts'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import { createService } from '../src/app/create-service.ts'
import { postHook, orderOf } from '../test/support/post-hook.ts'
import { startTestReceiver } from '../test/support/receiver.ts'
import { createShop, ORDER_READY_STEPS } from '../test/support/shop.ts'
import { liftLimits, startWholeService } from './whole-service.ts'

const JOURNEYS = Number(process.argv[2] ?? 1_000)
const AT_ONCE = Number(process.argv[3] ?? 8)
const WARM = 200
const SHOPS = 16
const isAnswered = process.argv[4] === 'answered'
/** The events of a journey: contact created, conversation started, flow completed; a reply adds a message and a contact update. */
const EVENTS = isAnswered ? 5 : 3

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
  PORT: '0',
  TRUSTED_PROXIES: '127.0.0.0/8',
}
const builder = await createService(readConfig(env, [], folder))
const shops = await Promise.all(
  Array.from({ length: SHOPS }, (_, nth) =>
    createShop(
      { service: builder, receiver, url: '' },
      {
        phoneNumberId: `1000${nth}`,
        businessAccountId: `2000${nth}`,
        ...(!isAnswered && {
          steps: {
            tell: { ...ORDER_READY_STEPS.tell, next: 'finish' },
            finish: ORDER_READY_STEPS.finish,
          },
        }),
      },
    ),
  ),
)
await liftLimits(builder.context.db.pool)
await builder.stop()
const client = new pg.Client({ connectionString: databaseUrl })
await client.connect()
const rowsOf = async <Row extends pg.QueryResultRow>(text: string) =>
  (await client.query<Row>(text)).rows

type Table = { name: string; inserted: number; updated: number; hot: number; deleted: number }
type Index = { name: string; table: string; scans: number }
type Relation = { name: string; records: number; bytes: number; locks: number }
type Wal = { kind: string; records: number; bytes: number; images: number }

/** Returns the counters of all tables and indexes, partitions summed under the name of their table. */
async function counters() {
  // A session reports its counters within a second of its last statement, and again after ten idle seconds.
  await new Promise((resolve) => setTimeout(resolve, 11_000))
  const tables = await rowsOf<Table>(`
    select regexp_replace(relname, '_\\d{8}$', '') as name, sum(n_tup_ins)::int as inserted,
      sum(n_tup_upd)::int as updated, sum(n_tup_hot_upd)::int as hot, sum(n_tup_del)::int as deleted
    from pg_stat_user_tables group by 1`)
  const indexes = await rowsOf<Index>(`
    select regexp_replace(indexrelname, '_\\d{8}', '') as name,
      regexp_replace(relname, '_\\d{8}$', '') as table, sum(idx_scan)::int as scans
    from pg_stat_user_indexes group by 1, 2`)
  return { tables, indexes }
}

const position = async () =>
  (await rowsOf<{ at: string }>('select pg_current_wal_lsn()::text as at'))[0]!.at
const size = async () =>
  (
    await rowsOf<{ name: string; bytes: number }>(`
      select regexp_replace(relname, '_\\d{8}$', '') as name, sum(pg_total_relation_size(oid))::int as bytes
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace group by 1`)
  ).reduce((sizes, { name, bytes }) => sizes.set(name, bytes), new Map<string, number>())

let orders = 0
/** Starts a number of journeys, a few concurrently, and waits for the last event of each. */
async function make(origin: string, journeys: number) {
  const ends = (orders + journeys) * EVENTS
  let left = journeys
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left > 0) {
        left -= 1
        const nth = (orders += 1)
        const { body, headers } = orderOf(nth)
        const url = `${origin}/hooks/${shops[nth % SHOPS]!.hookToken}`
        const { http } = await postHook(url, body, headers)
        if (http !== 202) throw new Error(`answered ${http}`)
        await received((nth - AT_ONCE) * EVENTS)
      }
    }),
  )
  await received(ends)
}

async function received(events: number) {
  const endsAt = performance.now() + 60_000
  while (receiver.received.length < events) {
    if (performance.now() > endsAt) throw new Error('the journeys did not end')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

const each = (count: number) => (count / JOURNEYS).toFixed(2)

function reportTables(
  before: Table[],
  after: Table[],
  sizes: [Map<string, number>, Map<string, number>],
) {
  const of = new Map(before.map((one) => [one.name, one]))
  const rows = after
    .map((one) => {
      const was = of.get(one.name)
      const grown = (sizes[1].get(one.name) ?? 0) - (sizes[0].get(one.name) ?? 0)
      return {
        name: one.name,
        inserted: one.inserted - (was?.inserted ?? 0),
        updated: one.updated - (was?.updated ?? 0),
        hot: one.hot - (was?.hot ?? 0),
        deleted: one.deleted - (was?.deleted ?? 0),
        grown,
      }
    })
    .filter(({ inserted, updated, deleted }) => inserted + updated + deleted >= JOURNEYS / 50)
    .toSorted((a, b) => b.inserted + b.updated - a.inserted - a.updated)
  const sum = (key: 'inserted' | 'updated' | 'hot' | 'deleted' | 'grown') =>
    rows.reduce((total, row) => total + row[key], 0)
  console.log('table                  inserted  updated  of these HOT  deleted  bytes left')
  for (const row of rows) {
    console.log(
      `${row.name.padEnd(22)} ${each(row.inserted).padStart(8)} ${each(row.updated).padStart(8)} ${each(row.hot).padStart(13)} ${each(row.deleted).padStart(8)} ${each(row.grown).padStart(11)}`,
    )
  }
  console.log(
    `in all: ${each(sum('inserted'))} inserted, ${each(sum('updated'))} updated, ${each(sum('hot'))} of these HOT (${((100 * sum('hot')) / sum('updated')).toFixed(0)} %), ${each(sum('deleted'))} deleted, ${each(sum('grown'))} bytes left`,
  )
  return new Set(rows.map(({ name }) => name))
}

function reportWal(kinds: Wal[]) {
  const bytes = kinds.reduce((sum, kind) => sum + kind.bytes, 0)
  const records = kinds.reduce((sum, kind) => sum + kind.records, 0)
  const images = kinds.reduce((sum, kind) => sum + kind.images, 0)
  console.log(
    `write-ahead log: ${each(bytes)} bytes in ${each(records)} records, and ${each(images)} bytes of page images`,
  )
  for (const kind of kinds.toSorted((a, b) => b.bytes - a.bytes).slice(0, 12)) {
    console.log(
      `  ${kind.kind.padEnd(24)} ${each(kind.records).padStart(7)} records ${each(kind.bytes).padStart(9)} bytes`,
    )
  }
}

/** Prints the write-ahead log by table and index. A record is counted for the first block that it names. */
function reportRelations(relations: Relation[]) {
  console.log(
    'write-ahead log by table and index, of a journey: records, bytes, row locks among them',
  )
  const lines = relations
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, 60)
    .map(
      ({ name, records, bytes, locks }) =>
        `${name} ${each(records)} ${each(bytes)}${locks > 0 ? ` ${each(locks)}` : ''}`,
    )
  console.log(`  ${lines.join('; ')}`)
}

function reportIndexes(before: Index[], after: Index[], tables: Set<string>) {
  const of = new Map(before.map((one) => [one.table + one.name, one.scans]))
  for (const table of tables) {
    const own = after
      .filter((one) => one.table === table)
      .map(({ name, scans }) => ({ name, scans: scans - (of.get(table + name) ?? 0) }))
      .toSorted((a, b) => b.scans - a.scans)
    if (own.length === 0) continue
    console.log(`${table}: ${own.map(({ name, scans }) => `${name} ${each(scans)}`).join(', ')}`)
  }
}

try {
  await client.query('create extension if not exists pg_walinspect')
  const service = await startWholeService(env, shops, {
    whatsApp: { stepMs: 0, ...(isAnswered && { autoReply: { afterMs: 0 } }) },
  })
  await make(service.origin, WARM)
  await client.query('vacuum (analyze)')
  await client.query('checkpoint')
  // Every page that is there is written whole once more, then counting begins.
  await make(service.origin, WARM)
  const [before, sizesBefore, from] = [await counters(), await size(), await position()]
  await make(service.origin, JOURNEYS)
  const to = await position()
  const after = await counters()
  const wal = await rowsOf<Wal>(`
    select "resource_manager/record_type" as kind, count::int as records, record_size::int as bytes,
      fpi_size::int as images
    from pg_get_wal_stats('${from}', '${to}', true) where count > 0`)
  const relations = await rowsOf<Relation>(`
    select coalesce(regexp_replace(relname, '_\\d{8}', ''), 'no relation') as name, count(*)::int as records,
      sum(record_length)::int as bytes, count(*) filter (where record_type = 'LOCK')::int as locks
    from pg_get_wal_block_info('${from}', '${to}', false) block
      left join pg_class on pg_class.relfilenode = block.relfilenode
    where block_id = 0 group by 1`)
  await client.query('vacuum (truncate false)')
  const tables = reportTables(before.tables, after.tables, [sizesBefore, await size()])
  reportWal(wal)
  reportRelations(relations)
  reportIndexes(before.indexes, after.indexes, tables)
  await service.stop()
} finally {
  await client.end()
  await receiver.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
