/** Backups of a running service, and files that must not be taken for one. */
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createKeyRing, readKeys } from '../../src/infra/secrets/key-ring.ts'
import { migrate } from '../../src/infra/database/migrate.ts'
import { systemRandom } from '../../src/core/ids.ts'
import { encryptionContext } from '../../src/modules/endpoints/create-endpoint.ts'
import { postHook, orderOf } from '../support/post-hook.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { OPERATOR_KEYS, runOperator, settingsFor, startOperator } from '../support/operator.ts'
import { createShop } from '../support/shop.ts'
import { repeatWhile } from '../support/wait.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'
import { openWorld } from '../support/open-world.ts'
import { liftAllowances } from '../support/records/allowances.ts'
import { storedSecretsOf } from '../support/records/endpoints.ts'
import { addFile } from '../support/records/files.ts'
import { recordsIn } from '../support/records/records.ts'
import { runsOf } from '../support/records/runs.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'wasla-backup-'))
const world = await openWorld({ encryptionKeys: OPERATOR_KEYS, trustedProxies: '127.0.0.0/8' })
// The runs send nothing, and the limit of requests per minute is not tested here.
await liftAllowances(world)
const shop = await createShop(world, { start: 'finish', steps: { finish: { kind: 'end' } } })
const env = settingsFor(world.database.connection, path.join(folder, 'data'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Creates an empty database, and a function that restores a file into it, with a data folder of this name. */
async function emptyTarget(data: string) {
  const database = await createTestDatabase({ empty: true })
  onTestFinished(() => database.drop())
  const own = settingsFor(database.connection, fileOf(data))
  return { database, restore: (file: string) => runOperator(own, ['restore', file]) }
}
const DONE = { code: 0, stderr: '' }

const fileOf = (name: string) => path.join(folder, name)

async function makeBackup(name: string, ...words: string[]): Promise<string> {
  expect(await runOperator(env, ['backup', fileOf(name), ...words])).toMatchObject(DONE)
  return fileOf(name)
}

/** A hash of all rows of each table, in any order. */
async function contentOf(database: TestDatabase): Promise<Record<string, string>> {
  const { pool } = database.db
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
      and relnamespace = 'public'::regnamespace
      and relname not in ('schema_migration', 'live_watch', 'live_change', 'operator_switch')`,
  )
  const content: Record<string, string> = {}
  for (const { name } of rows) {
    const hashed = await pool.query<{ hash: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(line, e'\\n' order by line)), '') as hash
        from (select "${name}"::text as line from "${name}") lines`,
    )
    content[name] = hashed.rows[0]!.hash
  }
  return content
}

const count = async (database: TestDatabase, what: string) =>
  (await database.db.pool.query<{ n: number }>(`select count(*)::int as n from ${what}`)).rows[0]!.n

const isEmpty = async (database: TestDatabase) =>
  (await database.db.pool.query(`select 1 where to_regclass('account') is not null`)).rowCount === 0

test('a backup during hooks, runs and deliveries shows one instant: complete, with all accepted before', async () => {
  let isWorking = true
  let orders = 0
  const accepted: string[] = []
  const asking = Array.from({ length: 4 }, async () => {
    const order = async () => {
      const { body, headers } = orderOf((orders += 1))
      const answer = await postHook(shop.hookUrl, body, headers)
      if (answer.http === 202) accepted.push(answer.id!)
    }
    await repeatWhile('orders', () => isWorking, order, { withinMs: 120_000 })
  })
  const work = () => world.service.processAll()
  const working = repeatWhile('work', () => isWorking, work, { withinMs: 120_000 })
  await expect.poll(() => accepted.length).toBeGreaterThan(30)
  const before = [...accepted]
  const file = await makeBackup('under-load.tar.gz')
  const afterwards = accepted.length
  isWorking = false
  await Promise.all([...asking, working])
  expect(afterwards).toBeGreaterThan(before.length)

  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { database, restore } = await emptyTarget('one')
  expect(await restore(file)).toMatchObject(DONE)
  const restored = new Set((await runsOf(recordsIn(database.db), shop)).map(({ id }) => id))
  expect(before.filter((id) => !restored.has(id))).toEqual([])
  // Rows that are written in one transaction are in it together.
  for (const torn of [
    'event where not exists (select from event_body where event_body.id = event.id)',
    'event where not exists (select from webhook_delivery where event_id = event.id)',
    `flow_run where status = 'completed' and not exists (
      select from event where run_id = flow_run.id and type = 'flow.completed')`,
  ]) {
    expect([torn, await count(database, torn)]).toEqual([torn, 0])
  }
})

test('every row is restored unchanged, every secret decrypts, and references hold', async () => {
  await world.service.processAll()
  const file = await makeBackup('at-rest.tar.gz')
  const { database, restore } = await emptyTarget('two')
  expect(await restore(file)).toMatchObject(DONE)
  const content = await contentOf(world.database)
  expect(await contentOf(database)).toEqual(content)
  expect(content.event_body).toMatch(/^[1-9]/)
  const keyRing = createKeyRing(readKeys(OPERATOR_KEYS), systemRandom)
  const secrets = await storedSecretsOf(recordsIn(database.db), shop)
  const opened = secrets.map(({ id, secret }) =>
    keyRing.decrypt(secret, encryptionContext(id, shop.companyId)),
  )
  expect(opened).toEqual([shop.secret])
  const constraints = async (of: TestDatabase) =>
    (
      await of.db.pool.query<{ line: string }>(
        `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as line
          from pg_constraint where connamespace = 'public'::regnamespace and contype = 'f' order by 1`,
      )
    ).rows
  expect(await constraints(database)).toEqual(await constraints(world.database))
  expect(await count(database, `pg_trigger where tgenabled = 'D'`)).toBe(0)
  // Rows that are written next come after all restored ones.
  const isAhead = 'message where arrival >= (select last_value from line_arrival)'
  expect([await count(database, isAhead), await count(database, 'pg_sequences')]).toEqual([0, 1])
})

test('an existing file is not replaced, and in a folder the backup gets a name with its time', async () => {
  writeFileSync(fileOf('kept'), 'mine')
  const refused = await runOperator(env, ['backup', fileOf('kept')])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') })
  expect(readFileSync(fileOf('kept'), 'utf8')).toBe('mine')
  mkdirSync(fileOf('backups'))
  const told = await runOperator(env, ['backup', fileOf('backups')])
  expect(told.stdout).toMatch(/backups\/wasla-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz\n/)
})

test('a killed backup leaves no file that looks complete, and the next one starts again', async () => {
  const file = fileOf('killed.tar.gz')
  const holder = new pg.Client(world.database.connection)
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('lock table webhook_delivery')
    const child = startOperator(env, ['backup', file])
    const ended = once(child, 'exit')
    // The service waits for the table too; it is the backup that is to be killed in it.
    const held = `pg_stat_activity where wait_event_type = 'Lock' and query like 'copy (select %'`
    const waiting = () => count(world.database, held)
    await expect.poll(waiting, { timeout: 40_000 * TIMEOUT_FACTOR }).toBe(1)
    child.kill('SIGKILL')
    await ended
  } finally {
    await holder.end()
  }
  expect(existsSync(file)).toBe(false)
  expect(existsSync(`${file}.part`)).toBe(true)
  const { database, restore } = await emptyTarget('three')
  const told = await restore(`${file}.part`)
  expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be restored') })
  expect(await isEmpty(database)).toBe(true)
  await makeBackup('killed.tar.gz')
  expect(existsSync(`${file}.part`)).toBe(false)
})

test('a truncated or changed file is refused before anything is done', async () => {
  const whole = readFileSync(await makeBackup('whole.tar.gz'))
  const tar = gunzipSync(whole)
  const changed = Buffer.from(tar)
  const at = changed.indexOf('Test receiver')
  changed.write('Best receiver', at)
  const withoutATable = Buffer.concat([tar.subarray(0, 512), tar.subarray(1024)])
  const withoutManifest = Buffer.concat([tar.subarray(0, 1024), Buffer.alloc(1024)])
  const wrong: [string, Buffer][] = [
    ['cut by one byte', whole.subarray(0, -1)],
    ['cut in the middle', whole.subarray(0, whole.length / 2)],
    ['a byte changed', gzipSync(changed)],
    ['a block lost', gzipSync(withoutATable)],
    ['an archive cut at an entry', gzipSync(tar.subarray(0, 1024))],
    ['one without a manifest', gzipSync(withoutManifest)],
    ['something else', Buffer.from('hello')],
    ['nothing', Buffer.alloc(0)],
  ]
  const { database, restore } = await emptyTarget('four')
  for (const [what, bytes] of wrong) {
    writeFileSync(fileOf('wrong.tar.gz'), bytes)
    const stderr = expect.stringMatching(/cannot be restored: .*Nothing was changed/)
    const told = await restore(fileOf('wrong.tar.gz'))
    expect({ what, ...told }).toMatchObject({ what, code: 1, stderr })
  }
  expect(await isEmpty(database)).toBe(true)
})

test('files that a file manager or an editor left are not included: the backup can be restored', async () => {
  const left = path.join(fileOf('left'), 'demonstration')
  mkdirSync(left, { recursive: true })
  for (const name of ['hook-token', '.DS_Store', 'hook-token~', 'hook-token (copy)']) {
    writeFileSync(path.join(left, name), 'token')
  }
  const file = fileOf('left.tar.gz')
  const envOfLeft = settingsFor(world.database.connection, fileOf('left'))
  expect(await runOperator(envOfLeft, ['backup', file])).toMatchObject({ code: 0 })
  const { restore } = await emptyTarget('right')
  expect(await restore(file)).toMatchObject(DONE)
  expect(readdirSync(path.join(fileOf('right'), 'demonstration'))).toEqual(['hook-token'])
})

test('a backup of an older version is restored, and migrated to this one', async () => {
  const { database: old } = await emptyTarget('old')
  await migrate(old.db.pool, undefined, '0018_assistant.sql')
  await old.db.pool.query(
    `insert into account (id, plan, created_at) values (gen_random_uuid(), 'free', now())`,
  )
  const file = fileOf('old.tar.gz')
  const envOfOld = settingsFor(old.connection, fileOf('five'))
  expect(await runOperator(envOfOld, ['backup', file])).toMatchObject({ code: 0 })
  // A backup leaves the tables as they are: a newer program makes one before it migrates.
  expect(await count(old, `schema_migration where name > '0018_assistant.sql'`)).toBe(0)
  const { database, restore } = await emptyTarget('five')
  expect((await restore(file)).stderr).toBe('')
  expect(await count(database, 'account')).toBe(1)
  expect(
    await count(database, `schema_migration where name > '0018_assistant.sql'`),
  ).toBeGreaterThan(0)
})

test('a backup of a newer version is not restored', async () => {
  const file = await makeBackup('newer.tar.gz')
  const tar = gunzipSync(readFileSync(file))
  const at = tar.lastIndexOf('0006_customers.sql')
  tar.write('9906_customers.sql', at)
  writeFileSync(fileOf('newer-2.tar.gz'), gzipSync(tar))
  const { database, restore } = await emptyTarget('six')
  const { code, stderr } = await restore(fileOf('newer-2.tar.gz'))
  expect(code).toBe(1)
  expect(stderr).toMatch(/newer than this version of Wasla: it has 9906_customers.sql/)
  expect(await isEmpty(database)).toBe(true)
})

test('files of customers and members are restored with their rows', async () => {
  const bytes = Buffer.alloc(5_000_000, 'a picture')
  const size = bytes.length
  const [kept, gone] = [await addFile(world, shop, { size }), await addFile(world, shop, { size })]
  const folderOf = (data: string, id: string) =>
    path.join(folder, data, 'files', shop.companyId, id.slice(-2))
  mkdirSync(folderOf('data', kept), { recursive: true })
  writeFileSync(path.join(folderOf('data', kept), kept), bytes)
  const file = await makeBackup('files.tar.gz')
  const { database, restore } = await emptyTarget('restored')
  expect(await restore(file)).toMatchObject(DONE)
  expect(readFileSync(path.join(folderOf('restored', kept), kept)).equals(bytes)).toBe(true)
  // A member deleted it from the folder while the backup was made.
  expect(existsSync(path.join(folderOf('restored', gone), gone))).toBe(false)
  expect(await count(database, 'file')).toBe(2)
})
