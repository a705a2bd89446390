/**
 * Measures the import of a messy file of contacts: 100,000 rows as CSV or as a workbook, uploaded, checked and
 * imported. It also measures the largest memory of the process. A new embedded PostgreSQL is used. The pauses that
 * keep an import to 200 events a second are skipped. A missing row is an error.
 *
 * An endpoint subscribes to every event, unless the company is `unheard`.
 *
 *   npm run bench:imports [-- ROWS [csv|xlsx [unheard]]]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { pino } from 'pino'
import { importRowsAsCsv } from '../src/modules/contacts/import/list-rows.ts'
import { processDuePages } from '../src/infra/database/queues/pages.ts'
import { IMPORT_JOBS } from '../src/modules/contacts/import/step-imports.ts'
import { checkImport, startImport } from '../src/modules/contacts/import/switch-import.ts'
import { uploadImport } from '../src/modules/contacts/import/upload-import.ts'
import { showImport } from '../src/modules/contacts/import/view-import.ts'
import { readConfig } from '../src/app/config.ts'
import { startEmbeddedPostgres } from '../src/infra/database/embedded/start-embedded-postgres.ts'
import { CONTACT_JOBS } from '../src/core/limits/contacts.ts'
import { createService } from '../src/app/create-service.ts'
import { formatterFor } from '../src/http/localize.ts'
import { EVENT_TYPES } from '../src/core/vocabulary/events.ts'
import { signedIn } from '../test/support/dashboard.ts'
import { startTestReceiver } from '../test/support/receiver.ts'
import { createShop } from '../test/support/shop.ts'
import { familyOf, parentOf, processorMs } from './process-costs.ts'

const ROWS = Number(process.argv[2] ?? 100_000)
const KIND = process.argv[3] === 'xlsx' ? 'xlsx' : 'csv'
const EVENT_TYPES_HEARD =
  process.argv[4] === 'unheard' ? (['message.received'] as const) : EVENT_TYPES
const MEMORY_LOOK_MS = 100

const folder = mkdtempSync(path.join(tmpdir(), 'wasla-bench-'))
const postgres = await startEmbeddedPostgres({ dataFolder: folder })
const { host, user, database } = postgres.connection
const receiver = await startTestReceiver()
const env = {
  DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
  DATA_FOLDER: folder,
  DEMONSTRATION: 'off',
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  LOG_LEVEL: 'error',
  PORT: '0',
}
const service = await createService(readConfig(env, [], folder))
let passedOverMs = 0
const context = {
  ...service.context,
  log: pino({ level: 'error' }),
  clock: { now: () => new Date(Date.now() + passedOverMs) },
  formatFact: formatterFor('en'),
}

/**
 * Returns the cells of a row. Some rows of every ten are special: one is faulty, one repeats a contact, one shares an
 * e-mail address, and one gives its number to the contact of an earlier row without one.
 */
function cellsOf(nth: number): string[] {
  const number = 500_000_000 + nth
  const name = nth % 3 === 0 ? `سارة ${nth}` : `Sara ${nth}`
  switch (nth % 10) {
    case 1:
      return [name, '9.66501E+11', `s${nth}@x.example`, 'vip', '']
    case 2:
      return [name, `+966${number - 2}`, '', 'again', 'yes']
    case 3:
      return [name, `966 ${number}`, 'noemail@x.example', '', 'no']
    case 4:
      return [name, `0${number}`, `s${nth}@x.example`, '', '']
    case 5:
      return [name, '', `s${nth}@x.example`, '', '']
    case 6:
      return [name, '', `s${nth - 6}@x.example`, '', '']
    case 8:
      return [name, `+966${number}`, `s${nth - 3}@x.example`, '', '']
    default:
      return [name, `+966${number}`, `s${nth}@x.example`, 'new; vip', nth % 50 === 7 ? 'نعم' : '']
  }
}

const HEAD = ['Name', 'Phone', 'Mail', 'Tags', 'Out']
const rows = Array.from({ length: ROWS }, (_, nth) => cellsOf(nth))
const bytes =
  KIND === 'xlsx'
    ? Buffer.from(await writeXlsx({ sheets: [{ name: 'Customers', rows: [HEAD, ...rows] }] }))
    : Buffer.from([HEAD, ...rows].map((cells) => cells.join(',')).join('\r\n'))
rows.length = 0
globalThis.gc?.()

let peakBytes = 0
const before = process.memoryUsage.rss()
const looking = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
}, MEMORY_LOOK_MS)

try {
  const shop = await createShop(
    { service, receiver, url: '' },
    { phoneNumberId: '10001', businessAccountId: '20001', eventTypes: EVENT_TYPES_HEARD },
  )
  const { accountId, companyId } = shop
  const { personId, email } = await signedIn({ service, url: '' }, { accountId })
  const actor = { personId, accountId, role: 'owner' as const, name: null, email }
  const columns = { name: 'Name', phone: 'Phone', email: 'Mail', tags: 'Tags', opted_out: 'Out' }
  const { id: importId } = await timed('upload', () =>
    uploadImport(context, actor, { companyId, name: 'customers', bytes }),
  )
  const owned = { companyId, importId }
  await timed('check', async () => {
    await checkImport(context, actor, { ...owned, columns, mode: 'fill', country: 'SA' })
    await stepUntilOver()
  })
  console.log(countsOf(await showImport(context, owned)))
  await timed('bring in', async () => {
    await startImport(context, actor, owned)
    await stepUntilOver()
  })
  const done = await showImport(context, owned)
  console.log(countsOf(done))
  const resultRows = await timed('result', async () => {
    const numbers = new Set<string>()
    for await (const part of await importRowsAsCsv(context, owned)) {
      for (const [number] of part.matchAll(/^[0-9]+(?=,)/gm)) numbers.add(number)
    }
    return numbers.size
  })
  if (done.state !== 'done' || resultRows !== ROWS) {
    throw new Error(`${done.state}: of ${ROWS} rows the result has ${resultRows}`)
  }
  const megabytes = (count: number) => Math.round(count / 1_048_576)
  console.log(`memory: ${megabytes(before)} MB before, at most ${megabytes(peakBytes)} MB`)
  console.log(`pauses passed over: ${Math.round(passedOverMs / 1_000)} s`)
} finally {
  clearInterval(looking)
  await service.stop()
  await receiver.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function stepUntilOver(): Promise<void> {
  for (let idle = 0; idle < 2;) {
    if ((await processDuePages(context, IMPORT_JOBS)) > 0) {
      idle = 0
      continue
    }
    passedOverMs += CONTACT_JOBS.pageEveryMs
    idle += 1
  }
}

async function timed<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
  const [from, fromMs] = [performance.now(), await processorOfAll()]
  const value = await work()
  const seconds = ((performance.now() - from) / 1_000).toFixed(1)
  const processor = ((await processorOfAll()) - fromMs) / 1_000
  console.log(`${what}: ${seconds} s, of the processors ${processor.toFixed(1)} s`)
  return value
}

/** Returns the CPU time of this process and of PostgreSQL until now, in ms. */
async function processorOfAll(): Promise<number> {
  const { rows: found } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(
    context.db.kysely,
  )
  const pids = [process.pid, ...familyOf(parentOf(found[0]!.pid))]
  return pids.reduce((sum, pid) => sum + processorMs(pid), 0)
}

function countsOf(view: Awaited<ReturnType<typeof showImport>>) {
  const { rows: all, created, updated, unchanged, combined, leftOut } = view
  return { rows: all, created, updated, unchanged, combined, leftOut }
}
