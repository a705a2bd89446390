/** What the doctor sees, says and leaves alone. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/database/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { OPERATOR_KEYS, runOperator, settingsFor, type Told } from '../support/operator.ts'
import { startS3Server } from '../support/s3-server.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop } from '../support/shop.ts'
import { PATIENCE } from '../support/patience.ts'
import { systemTest } from '../support/system-tests.ts'

const SLOWLY = { timeout: 120_000 * PATIENCE }

let world: World
let folder: string
let env: Record<string, string>
const databases: TestDatabase[] = []

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'wasla-doctor-'))
  world = await createWorld({ encryptionKeys: OPERATOR_KEYS, hasOwnDatabase: true })
  await createShop(world)
  env = { ...settingsFor(world.database.connection, folder), BASE_URL: world.url }
})
afterAll(async () => {
  await world.close()
  for (const database of databases) await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const doctor = (more: Record<string, string> = {}) => runOperator({ ...env, ...more }, ['doctor'])

/** The level and the words of a check. */
function lineOf({ stdout }: Told, what: string): string {
  const line = stdout.split('\n').find((one) => one.slice(9).startsWith(`${what} `))
  return line?.replaceAll(/ +/g, ' ') ?? ''
}

async function anotherDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ empty: true })
  databases.push(database)
  return database
}

test(
  'of a service that can work it says so, check by check, and prints no secret',
  SLOWLY,
  async () => {
    await world.database.db.pool.query(
      `select make_day((now() + make_interval(days => ahead))::date) from generate_series(0, 7) ahead`,
    )
    const told = await doctor()
    expect(told.stderr).toBe('')
    expect(lineOf(told, 'node')).toMatch(/^ok /)
    expect(lineOf(told, 'database')).toMatch(/^ok database PostgreSQL \d+/)
    expect(lineOf(told, 'encoding')).toMatch(/^ok encoding UTF8/)
    expect(lineOf(told, 'migrations')).toMatch(/^ok migrations all \d+ applied$/)
    expect(lineOf(told, 'keys')).toBe('ok keys every key in use opens what it encrypted (k1)')
    expect(lineOf(told, 'clock')).toMatch(/^ok /)
    const connections = lineOf(told, 'connections')
    // Others use the same server beside it.
    expect(connections).toMatch(/^(ok|warning) connections \d+ of \d+ in use/)
    // Others' work, changes of channels, ends of sessions and what visitors are told are listened for beside the pool.
    const [, most, pool] = /takes up to (\d+) \(DATABASE_POOL=(\d+)\)/.exec(connections)!
    expect(Number(most)).toBe(Number(pool) + 4)
    expect(lineOf(told, 'waiting')).toMatch(/^ok waiting 0 runs and 0 deliveries are due$/)
    expect(lineOf(told, 'partitions')).toMatch(/^ok partitions made for 7 days/)
    expect(lineOf(told, 'files')).toMatch(/^ok files .*\/files: (one was put|the first start)/)
    expect(lineOf(told, 'disk')).toMatch(/ GB free at .*; the database has /)
    expect(lineOf(told, 'address')).toBe(
      `ok address ${world.url}/healthz is answered by this service`,
    )
    expect(told.stdout).not.toMatch(/^fault/m)
    expect(told.code).toBe(0)
    expect(told.stdout).not.toContain(OPERATOR_KEYS.slice(3))
  },
)

systemTest('another key under the right id is a fault, and so is none', SLOWLY, async () => {
  const wrong = await doctor({ ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 9).toString('base64')}` })
  expect(lineOf(wrong, 'keys')).toMatch(/^fault keys "k1" in endpoint_secret\.secret: /)
  expect(lineOf(wrong, 'keys')).toContain('"k1" in channel.credentials')
  expect(wrong.code).toBe(1)
  const none = await doctor({ ENCRYPTION_KEYS: '' })
  expect(lineOf(none, 'keys')).toMatch(/^fault keys ENCRYPTION_KEYS is not set, and there is no /)
  expect(none.code).toBe(1)
})

test(
  'a database that is away is a fault; what needs none is looked at all the same',
  SLOWLY,
  async () => {
    const told = await doctor({ DATABASE_URL: 'postgres://me:secret-word@127.0.0.1:9/wasla' })
    expect(lineOf(told, 'database')).toMatch(
      /^fault database DATABASE_URL leads to .*: nothing listens there/,
    )
    expect(lineOf(told, 'disk')).toMatch(/ GB free/)
    expect(lineOf(told, 'address')).toMatch(/^ok /)
    expect(told.code).toBe(1)
    expect(told.stdout + told.stderr).not.toContain('secret-word')
    const fresh = await doctor({ DATABASE_URL: '', DATA_FOLDER: path.join(folder, 'fresh') })
    expect(lineOf(fresh, 'database')).toMatch(/^warning database none in /)
  },
)

test('the mail server is signed in to and sent nothing', SLOWLY, async () => {
  let mails = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(_stream, _session, done) {
      mails += 1
      done()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const mail = { MAIL_FROM: 'wasla@example.com' }
  try {
    const open = await doctor({ ...mail, SMTP_URL: `smtp://127.0.0.1:${port}` })
    expect(lineOf(open, 'mail')).toBe(`ok mail 127.0.0.1:${port} lets us in without a password`)
    // A password is told to no server without TLS.
    const bare = await doctor({ ...mail, SMTP_URL: `smtp://me:secret-word@127.0.0.1:${port}` })
    expect(lineOf(bare, 'mail')).toMatch(/^fault mail 127\.0\.0\.1:\d+: the mail server did not/)
    expect(bare.stdout + bare.stderr).not.toContain('secret-word')
    expect(bare.code).toBe(1)
    expect(mails).toBe(0)
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
})

systemTest(
  'an address that something else answers, or that is not https, is a fault in production',
  SLOWLY,
  async () => {
    const other = createServer((_request, response) => response.end('{"status":"ok"}'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    try {
      const told = await doctor({ BASE_URL: url })
      expect(lineOf(told, 'address')).toMatch(
        /^warning address .* is answered 200 by something else$/,
      )
      expect(told.code).toBe(0)
      const inProduction = await doctor({ BASE_URL: url, NODE_ENV: 'production' })
      expect(lineOf(inProduction, 'address')).toBe(`fault address ${url} is not https`)
      expect(inProduction.code).toBe(1)
      const nowhere = { BASE_URL: 'https://nowhere.invalid', NODE_ENV: 'production' }
      expect(lineOf(await doctor(nowhere), 'address')).toMatch(
        /^fault address nowhere\.invalid does/,
      )
    } finally {
      other.close()
    }
  },
)

systemTest(
  'of a database older than the program it warns, and leaves it as it is',
  SLOWLY,
  async () => {
    const old = await anotherDatabase()
    await migrate(old.db.pool, undefined, '0005_flows.sql')
    const told = await doctor(settingsFor(old.connection, folder))
    expect(lineOf(told, 'migrations')).toMatch(
      /^warning migrations \d+ not applied yet, from 0006_/,
    )
    expect(told.code).toBe(0)
    const { rows } = await old.db.pool.query(
      `select 1 from schema_migration where name > '0005_flows.sql'`,
    )
    expect(rows).toEqual([])
    // No day of its partitions is made, and nothing waits.
    expect(lineOf(told, 'partitions')).toBe('warning partitions none for today')
  },
)

test('clocks that are minutes apart are a fault', SLOWLY, async () => {
  const ahead = await anotherDatabase()
  await ahead.db.pool.query(`create schema ahead;
    create function ahead.clock_timestamp() returns timestamptz language sql
      as $$ select pg_catalog.clock_timestamp() + interval '6 minutes' $$`)
  const { rows } = await ahead.db.pool.query<{ name: string }>('select current_database() as name')
  await ahead.db.pool.query(
    `alter database ${rows[0]!.name} set search_path = ahead, pg_catalog, public`,
  )
  const told = await doctor(settingsFor(ahead.connection, folder))
  expect(lineOf(told, 'clock')).toMatch(/^fault clock .* 3[56]\d\.\d s apart: receivers may refuse/)
  expect(told.code).toBe(1)
})

test('what is late, paused or held it says', SLOWLY, async () => {
  const { pool } = world.database.db
  await pool.query(`insert into operator_switch (name, is_on, changed_at)
    values ('hooks_paused', true, now())`)
  expect(lineOf(await doctor(), 'hooks')).toMatch(/^warning hooks paused since /)
  await pool.query('delete from operator_switch')
})

test('a word that is no command is answered with the commands', SLOWLY, async () => {
  for (const word of ['constructor', 'toString', '__proto__', 'statu', '']) {
    const told = await runOperator(env, [word])
    expect(told).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Commands:\n {2}status\n/),
    })
  }
})

systemTest('a bucket that takes no files is a fault, and says why', SLOWLY, async () => {
  const server = await startS3Server({ accessKeyId: 'id', secretAccessKey: 'right' })
  const { endpoint, bucket, region } = server.settings
  const settings = (secret: string) => ({
    FILES_S3_ENDPOINT: endpoint,
    FILES_S3_BUCKET: bucket,
    FILES_S3_REGION: region,
    FILES_S3_ACCESS_KEY_ID: 'id',
    FILES_S3_SECRET_ACCESS_KEY: secret,
  })
  const [right, wrong] = [await doctor(settings('right')), await doctor(settings('a-wrong-one'))]
  await server.close()
  expect(lineOf(right, 'files')).toMatch(/^ok files the bucket wasla-files at .*deleted$/)
  expect(lineOf(wrong, 'files')).toMatch(/^fault files .*SignatureDoesNotMatch/)
  expect([right.code, wrong.code]).toEqual([0, 1])
  expect(wrong.stdout + wrong.stderr).not.toContain('a-wrong-one')
})
