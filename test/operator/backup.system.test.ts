/** Backups of a service at work, and what cannot be taken for one. */
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
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKeyRing, readKeys } from '../../src/secrets/key-ring.ts'
import { migrate } from '../../src/database/migrate.ts'
import { systemRandom } from '../../src/ids.ts'
import { secretPlace } from '../../src/endpoints/create-endpoint.ts'
import { askHook, ORDER } from '../support/ask-hook.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { OPERATOR_KEYS, runOperator, settingsFor, startOperator } from '../support/operator.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { repeatWhile } from '../support/wait.ts'
import { PATIENCE } from '../support/patience.ts'

const SLOWLY = { timeout: 120_000 * PATIENCE }

let world: World
let shop: Shop
let folder: string
let env: Record<string, string>
const databases: TestDatabase[] = []

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'wasla-backup-'))
  world = await createWorld({ encryptionKeys: OPERATOR_KEYS, trustedProxies: '127.0.0.0/8' })
  // Runs that send nothing; and how many requests pass in a minute is not what is tested here.
  await world.database.db.pool.query(`
    create function forget_requests() returns trigger language plpgsql
      as $$ begin new.requests := 0; return new; end $$;
    create trigger forget_requests before insert or update on hook_url_count
      for each row execute function forget_requests();
    create trigger forget_requests before insert or update on company_hook_count
      for each row execute function forget_requests()`)
  shop = await createShop(world, { start: 'finish', steps: { finish: { kind: 'end' } } })
  env = settingsFor(world.database.connection, path.join(folder, 'data'))
})
afterAll(async () => {
  await world.close()
  for (const database of databases) await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ empty: true })
  databases.push(database)
  return database
}

const fileOf = (name: string) => path.join(folder, name)

async function makeBackup(name: string, ...words: string[]): Promise<string> {
  const told = await runOperator(env, ['backup', fileOf(name), ...words])
  expect(told.stderr).toBe('')
  expect(told.code).toBe(0)
  return fileOf(name)
}

/** A hash of all rows of each table, in whatever order they lie. */
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

test(
  'made while hooks, runs and deliveries go on, it is one instant: whole, and nothing accepted before it is missing',
  SLOWLY,
  async () => {
    let isWorking = true
    let orders = 0
    const accepted: string[] = []
    const asking = Array.from({ length: 4 }, async () => {
      const order = async () => {
        orders += 1
        const phone = `+9665010${String(orders).padStart(5, '0')}`
        const from = { 'x-forwarded-for': `198.18.${(orders >> 8) & 255}.${orders & 255}` }
        const body = { ...ORDER, customer: { ...ORDER.customer, phone } }
        const answer = await askHook(shop.hookUrl, body, from)
        if (answer.http === 202) accepted.push(answer.id!)
      }
      await repeatWhile('orders', () => isWorking, order, { withinMs: 120_000 })
    })
    const working = repeatWhile(
      'work',
      () => isWorking,
      () => world.service.processAll(),
      { withinMs: 120_000 },
    )
    await expect.poll(() => accepted.length).toBeGreaterThan(30)
    const before = [...accepted]
    const file = await makeBackup('under-load.tar.gz')
    const afterwards = accepted.length
    isWorking = false
    await Promise.all([...asking, working])
    expect(afterwards).toBeGreaterThan(before.length)

    expect(statSync(file).mode & 0o777).toBe(0o600)
    const target = await emptyDatabase()
    const told = await runOperator(settingsFor(target.connection, fileOf('one')), ['restore', file])
    expect(told.stderr).toBe('')
    expect(told.code).toBe(0)
    const { rows } = await target.db.pool.query<{ id: string }>('select id from flow_run')
    const restored = new Set(rows.map(({ id }) => id))
    expect(before.filter((id) => !restored.has(id))).toEqual([])
    // What is written in one transaction is there together.
    expect(
      await count(
        target,
        'event where not exists (select from event_body where event_body.id = event.id)',
      ),
    ).toBe(0)
    expect(
      await count(
        target,
        'event where not exists (select from webhook_delivery where event_id = event.id)',
      ),
    ).toBe(0)
    expect(
      await count(
        target,
        `flow_run where status = 'completed' and not exists (select from event where run_id = flow_run.id and type = 'flow.completed')`,
      ),
    ).toBe(0)
  },
)

test(
  'every row comes back as it was, every secret opens, and references hold',
  SLOWLY,
  async () => {
    await world.service.processAll()
    const file = await makeBackup('at-rest.tar.gz')
    const target = await emptyDatabase()
    const told = await runOperator(settingsFor(target.connection, fileOf('two')), ['restore', file])
    expect(told.code).toBe(0)
    const content = await contentOf(world.database)
    expect(await contentOf(target)).toEqual(content)
    expect(content.event_body).toMatch(/^[1-9]/)
    const keyRing = createKeyRing(readKeys(OPERATOR_KEYS), systemRandom)
    const secret = await target.db.kysely
      .selectFrom('endpointSecret')
      .select(['id', 'secret'])
      .where('endpointId', '=', shop.endpointId)
      .executeTakeFirstOrThrow()
    expect(keyRing.decrypt(secret.secret, secretPlace(secret.id, shop.companyId))).toBe(shop.secret)
    const constraints = (database: TestDatabase) =>
      database.db.pool
        .query<{ line: string }>(
          `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as line
          from pg_constraint where connamespace = 'public'::regnamespace and contype = 'f' order by 1`,
        )
        .then(({ rows }) => rows)
    expect(await constraints(target)).toEqual(await constraints(world.database))
    expect(await count(target, `pg_trigger where tgenabled = 'D'`)).toBe(0)
    // Without counters of its own the database needs none put back.
    expect(await count(target, 'pg_sequences')).toBe(0)
  },
)

test('a file that is there already is not replaced', SLOWLY, async () => {
  writeFileSync(fileOf('kept'), 'mine')
  const told = await runOperator(env, ['backup', fileOf('kept')])
  expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining('is there already') })
  expect(readFileSync(fileOf('kept'), 'utf8')).toBe('mine')
})

test('in a folder it gets a name with its time', SLOWLY, async () => {
  mkdirSync(fileOf('backups'))
  const told = await runOperator(env, ['backup', fileOf('backups')])
  expect(told.stdout).toMatch(/backups\/wasla-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz\n/)
})

test(
  'killed in the middle it leaves no file that looks whole, and the next one begins anew',
  SLOWLY,
  async () => {
    const file = fileOf('killed.tar.gz')
    const holder = new pg.Client(world.database.connection)
    await holder.connect()
    try {
      await holder.query('begin')
      await holder.query('lock table webhook_delivery')
      const child = startOperator(env, ['backup', file])
      const ended = once(child, 'exit')
      // The service waits for the table too; it is the backup that is to be killed in it.
      await expect
        .poll(
          async () =>
            count(
              world.database,
              `pg_stat_activity where wait_event_type = 'Lock' and query like 'copy (select %'`,
            ),
          { timeout: 40_000 * PATIENCE },
        )
        .toBe(1)
      child.kill('SIGKILL')
      await ended
    } finally {
      await holder.end()
    }
    expect(existsSync(file)).toBe(false)
    expect(existsSync(`${file}.part`)).toBe(true)
    const target = await emptyDatabase()
    const restoring = settingsFor(target.connection, fileOf('three'))
    const told = await runOperator(restoring, ['restore', `${file}.part`])
    expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be restored') })
    expect(await isEmpty(target)).toBe(true)
    await makeBackup('killed.tar.gz')
    expect(existsSync(`${file}.part`)).toBe(false)
  },
)

test('a torn or changed file is refused before anything is done', SLOWLY, async () => {
  const whole = readFileSync(await makeBackup('whole.tar.gz'))
  const tar = gunzipSync(whole)
  const changed = Buffer.from(tar)
  const at = changed.indexOf('Test receiver')
  changed.write('Best receiver', at)
  const withoutATable = Buffer.concat([tar.subarray(0, 512), tar.subarray(1024)])
  const wrong: [string, Buffer][] = [
    ['cut by one byte', whole.subarray(0, -1)],
    ['cut in the middle', whole.subarray(0, whole.length / 2)],
    ['a byte changed', gzipSync(changed)],
    ['a block lost', gzipSync(withoutATable)],
    ['an archive cut at an entry', gzipSync(Buffer.concat([tar.subarray(0, 1024)]))],
    [
      'an archive without its manifest',
      gzipSync(Buffer.concat([tar.subarray(0, 1024), Buffer.alloc(1024)])),
    ],
    ['something else', Buffer.from('hello')],
    ['nothing', Buffer.alloc(0)],
  ]
  const target = await emptyDatabase()
  const restoring = settingsFor(target.connection, fileOf('four'))
  for (const [what, bytes] of wrong) {
    writeFileSync(fileOf('wrong.tar.gz'), bytes)
    const told = await runOperator(restoring, ['restore', fileOf('wrong.tar.gz')])
    expect({ what, ...told }).toMatchObject({
      what,
      code: 1,
      stderr: expect.stringMatching(/cannot be restored: .*Nothing was changed/),
    })
  }
  expect(await isEmpty(target)).toBe(true)
})

test(
  'what a file manager or an editor left beside its files is not taken along: it can be restored',
  SLOWLY,
  async () => {
    const left = path.join(fileOf('left'), 'demonstration')
    mkdirSync(left, { recursive: true })
    for (const name of ['hook-token', '.DS_Store', 'hook-token~', 'hook-token (copy)']) {
      writeFileSync(path.join(left, name), 'token')
    }
    const file = fileOf('left.tar.gz')
    const made = await runOperator(settingsFor(world.database.connection, fileOf('left')), [
      'backup',
      file,
    ])
    expect(made.code).toBe(0)
    const target = await emptyDatabase()
    const restored = settingsFor(target.connection, fileOf('right'))
    expect(await runOperator(restored, ['restore', file])).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(path.join(fileOf('right'), 'demonstration'))).toEqual(['hook-token'])
  },
)

test('of an older version it is restored, and migrated to this one', SLOWLY, async () => {
  const old = await emptyDatabase()
  await migrate(old.db.pool, undefined, '0005_flows.sql')
  await old.db.pool.query(
    `insert into account (id, plan, created_at) values (gen_random_uuid(), 'free', now())`,
  )
  const file = fileOf('old.tar.gz')
  const made = await runOperator(settingsFor(old.connection, fileOf('five')), ['backup', file])
  expect(made.code).toBe(0)
  // A backup leaves the tables as they are: a newer program makes one before it migrates.
  expect(await count(old, `schema_migration where name > '0005_flows.sql'`)).toBe(0)
  const target = await emptyDatabase()
  const told = await runOperator(settingsFor(target.connection, fileOf('five')), ['restore', file])
  expect(told.stderr).toBe('')
  expect(await count(target, 'account')).toBe(1)
  expect(await count(target, `schema_migration where name > '0005_flows.sql'`)).toBeGreaterThan(0)
})

test('of a newer version it is neither made nor restored', SLOWLY, async () => {
  const file = await makeBackup('newer.tar.gz')
  const tar = gunzipSync(readFileSync(file))
  const at = tar.lastIndexOf('0006_hooks.sql')
  tar.write('9906_hooks.sql', at)
  writeFileSync(fileOf('newer-2.tar.gz'), gzipSync(tar))
  const target = await emptyDatabase()
  const restoring = settingsFor(target.connection, fileOf('six'))
  const told = await runOperator(restoring, ['restore', fileOf('newer-2.tar.gz')])
  expect(told).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/newer than this version of Wasla: it has 9906_hooks.sql/),
  })
  expect(await isEmpty(target)).toBe(true)
})

test('what customers and members sent comes back with its rows', SLOWLY, async () => {
  const { db, ids, clock } = world.service.context
  const [kept, gone] = [ids.uuid(), ids.uuid()]
  const bytes = Buffer.alloc(5_000_000, 'a picture')
  const folderOf = (data: string, id: string) =>
    path.join(folder, data, 'files', shop.companyId, id.slice(-2))
  mkdirSync(folderOf('data', kept), { recursive: true })
  writeFileSync(path.join(folderOf('data', kept), kept), bytes)
  await db.kysely
    .insertInto('file')
    .values(
      [kept, gone].map((id) => ({
        id,
        companyId: shop.companyId,
        purpose: 'flow',
        state: 'kept',
        mediaType: 'text/plain',
        size: bytes.length,
        sha256: Buffer.alloc(32),
        createdAt: clock.now(),
      })),
    )
    .execute()
  const file = await makeBackup('files.tar.gz')
  const database = await emptyDatabase()
  const told = await runOperator(settingsFor(database.connection, path.join(folder, 'restored')), [
    'restore',
    file,
  ])
  expect([told.stderr, told.code]).toEqual(['', 0])
  expect(readFileSync(path.join(folderOf('restored', kept), kept)).equals(bytes)).toBe(true)
  // It was deleted from the folder while the backup was made, as somebody wanted.
  expect(existsSync(path.join(folderOf('restored', gone), gone))).toBe(false)
  expect(await count(database, 'file')).toBe(2)
  await db.kysely.deleteFrom('file').execute()
})
