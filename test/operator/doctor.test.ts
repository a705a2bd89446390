/** The checks of the doctor, their messages, and the data that it must not change. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { checkTransactions } from '../../scripts/operator/doctor/check-transactions.ts'
import { migrate } from '../../src/infra/database/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { holdSnapshot } from '../support/hold-snapshot.ts'
import { OPERATOR_KEYS, runOperator, settingsFor, type Told } from '../support/operator.ts'
import { startReplicatedPostgres, type Server } from '../support/replicated-postgres.ts'
import { startPooler } from '../support/pooler.ts'
import { connectionUrl } from '../support/test-service.ts'
import { startS3Server } from '../support/s3-server.ts'
import { createShop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'
import { waitUntil } from '../support/wait.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'wasla-doctor-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const world = await openWorld({ encryptionKeys: OPERATOR_KEYS, hasOwnDatabase: true })
await createShop(world)
const env = { ...settingsFor(world.database.connection, folder), BASE_URL: world.url }
const doctor = (more: Record<string, string> = {}) => runOperator({ ...env, ...more }, ['doctor'])
const WRONG_KEYS = `k1:${Buffer.alloc(32, 9).toString('base64')}`

/** Returns the level and the text of a check. */
function lineOf({ stdout }: Told, what: string): string {
  const line = stdout.split('\n').find((one) => one.slice(9).startsWith(`${what} `))
  return line?.replaceAll(/ +/g, ' ') ?? ''
}

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ empty: true })
  onTestFinished(() => database.drop())
  return database
}

/** Listens on this machine until the test has ended. Returns its port. */
async function portOf(server: NetServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test('reports a healthy service, check by check, and prints no secret', async () => {
  await world.database.db.pool.query(
    `select make_day((now() + make_interval(days => ahead))::date) from generate_series(0, 7) ahead`,
  )
  const told = await doctor()
  expect(told.stderr).toBe('')
  expect(lineOf(told, 'node')).toMatch(/^ok /)
  expect(lineOf(told, 'database')).toMatch(/^ok database PostgreSQL \d+/)
  expect(lineOf(told, 'encoding')).toMatch(/^ok encoding UTF8/)
  expect(lineOf(told, 'migrations')).toMatch(/^ok migrations all \d+ applied$/)
  expect(lineOf(told, 'keys')).toBe('ok keys every key in use can decrypt its data (k1)')
  expect(lineOf(told, 'clock')).toMatch(/^ok /)
  const connections = lineOf(told, 'connections')
  // Other processes use the same server.
  expect(connections).toMatch(/^(ok|warning) connections \d+ of \d+ in use/)
  // All notifications arrive on one connection besides the pool.
  const [, max, pool] = /needs up to (\d+) \(DATABASE_POOL=(\d+)\)/.exec(connections)!
  expect(Number(max)).toBe(Number(pool) + 1)
  expect(lineOf(told, 'waiting')).toMatch(/^ok waiting 0 runs and 0 deliveries are due$/)
  expect(lineOf(told, 'partitions')).toMatch(/^ok partitions created for 7 days/)
  expect(lineOf(told, 'files')).toMatch(/^ok files .*\/files: (wrote, read|created at)/)
  expect(lineOf(told, 'disk')).toMatch(/ GB free at .*; the database uses /)
  expect(lineOf(told, 'address')).toBe(
    `ok address ${world.url}/healthz is answered by this service`,
  )
  expect(told.stdout).not.toMatch(/^fault/m)
  expect(told.code).toBe(0)
  expect(told.stdout).not.toContain(OPERATOR_KEYS.slice(3))
})

systemTest(
  'standbys are shown with their lag, and one that is not synchronous is a warning',
  async () => {
    expect(lineOf(await doctor(), 'replication')).toBe('ok replication no standby is connected')
    for (const [isSynchronous, shown] of [
      [true, /^ok replication standbys: 1, largest lag \d+ MB, synchronous: standby$/],
      [
        false,
        /^warning replication standbys: 1, largest lag \d+ MB, none of them synchronous: a failover can lose what was accepted/,
      ],
    ] as const) {
      const postgres = await startReplicatedPostgres(inject('cluster'), { isSynchronous })
      onTestFinished(() => postgres.close())
      const on = ({ connection }: Server) => doctor({ DATABASE_URL: connectionUrl(connection) })
      expect(lineOf(await on(postgres.primary), 'replication')).toMatch(shown)
      await postgres.primary.kill()
      await postgres.promote()
      expect(lineOf(await on(postgres.standby), 'replication')).toBe(
        'ok replication no standby is connected, timeline 2',
      )
    }
  },
)

systemTest('a commit that waits for a standby which is not connected is a fault', async () => {
  const postgres = await startReplicatedPostgres(inject('cluster'), { isSynchronous: true })
  onTestFinished(() => postgres.close())
  const replication = async () =>
    lineOf(
      await doctor({ DATABASE_URL: connectionUrl(postgres.primary.connection) }),
      'replication',
    )
  const required = 'none that synchronous_standby_names (another) requires: every commit waits'

  await postgres.requireStandby('ANY 2 (*)')
  await waitUntil('the number is in use', async () =>
    (await postgres.standbyStates()).includes('quorum'),
  )
  expect(await replication()).toBe(
    'fault replication standbys: 1, only 1 of the 2 that synchronous_standby_names (ANY 2 (*)) requires: every commit waits',
  )

  await postgres.requireStandby('another')
  await waitUntil('the name is in use', async () =>
    (await postgres.standbyStates()).includes('async'),
  )
  expect(await replication()).toBe(`fault replication standbys: 1, ${required}`)

  await postgres.standby.kill()
  await waitUntil(
    'the standby is missing',
    async () => (await postgres.standbyStates()).length === 0,
  )
  expect(await replication()).toBe(`fault replication standbys: 0, ${required}`)
})

systemTest('with an https address, and no trusted proxy, it warns', async () => {
  const behind = { BASE_URL: 'https://nowhere.invalid' }
  expect(lineOf(await doctor(behind), 'proxies')).toMatch(
    /^warning proxies .*TRUSTED_PROXIES is not/,
  )
  const told = await doctor({ ...behind, TRUSTED_PROXIES: '10.0.0.0/8' })
  expect(lineOf(told, 'proxies')).toBe('ok proxies 10.0.0.0/8 are believed')
  expect(lineOf(await doctor(), 'proxies')).toBe('')
})

systemTest('a message that names its cause gets no other advice', async () => {
  const pooled = await startPooler(world.database.connection, 'transaction')
  const told = await doctor({ DATABASE_URL: connectionUrl(pooled) })
  expect(lineOf(told, 'database')).toMatch(/^fault database .*let the pooler pool by session$/)
  expect(told.stdout).not.toContain('Does the server in DATABASE_URL run')
  const away = await doctor({ DATABASE_URL: 'postgres://wasla@127.0.0.1:1/wasla' })
  expect(lineOf(away, 'database')).toContain('nothing listens there. Is PostgreSQL running')
  expect(away.stdout).not.toContain('Does the server in DATABASE_URL run')
})

systemTest('another key under the right id is a fault, and so is a missing one', async () => {
  const wrong = await doctor({ ENCRYPTION_KEYS: WRONG_KEYS })
  expect(lineOf(wrong, 'keys')).toMatch(/^fault keys "k1" in endpoint_secret\.secret: /)
  expect(lineOf(wrong, 'keys')).toContain('"k1" in channel.credentials')
  expect(wrong.code).toBe(1)
  const none = await doctor({ ENCRYPTION_KEYS: '' })
  expect(lineOf(none, 'keys')).toMatch(/^fault keys ENCRYPTION_KEYS is not set, and there is no /)
  expect(none.code).toBe(1)
})

test('an unavailable database is a fault; checks that need none run all the same', async () => {
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
})

test('the mail server is signed in to, and no mail is sent', async () => {
  let mails = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(_stream, _session, done) {
      mails += 1
      done()
    },
  })
  const port = await portOf(server.server)
  const mail = { MAIL_FROM: 'wasla@example.com' }
  const open = await doctor({ ...mail, SMTP_URL: `smtp://127.0.0.1:${port}` })
  expect(lineOf(open, 'mail')).toBe(`ok mail signed in to 127.0.0.1:${port} without a password`)
  // A password is sent to no server without TLS.
  const bare = await doctor({ ...mail, SMTP_URL: `smtp://me:secret-word@127.0.0.1:${port}` })
  expect(lineOf(bare, 'mail')).toMatch(/^fault mail 127\.0\.0\.1:\d+: the mail server did not/)
  expect(bare.stdout + bare.stderr).not.toContain('secret-word')
  expect(bare.code).toBe(1)
  expect(mails).toBe(0)
})

systemTest(
  'an address of another service, or without https, is a fault in production',
  async () => {
    const other = createServer((_request, response) => response.end('{"status":"ok"}'))
    const url = `http://127.0.0.1:${await portOf(other)}`
    const told = await doctor({ BASE_URL: url })
    expect(lineOf(told, 'address')).toMatch(
      /^warning address .* returned 200, but not from this service$/,
    )
    expect(told.code).toBe(0)
    const inProduction = await doctor({ BASE_URL: url, NODE_ENV: 'production' })
    expect(lineOf(inProduction, 'address')).toBe(`fault address ${url} is not https`)
    expect(inProduction.code).toBe(1)
    const nowhere = { BASE_URL: 'https://nowhere.invalid', NODE_ENV: 'production' }
    expect(lineOf(await doctor(nowhere), 'address')).toMatch(/^fault address nowhere\.invalid does/)
  },
)

systemTest(
  'warns of a database that is older than the program, and leaves it as it is',
  async () => {
    const old = await emptyDatabase()
    await migrate(old.db.pool, undefined, '0010_flows.sql')
    const told = await doctor(settingsFor(old.connection, folder))
    expect(lineOf(told, 'migrations')).toMatch(
      /^warning migrations \d+ not applied yet, starting with 0011_/,
    )
    expect(told.code).toBe(0)
    const { rows } = await old.db.pool.query(
      `select 1 from schema_migration where name > '0010_flows.sql'`,
    )
    expect(rows).toEqual([])
    // It creates none of its daily partitions, and nothing waits.
    expect(lineOf(told, 'partitions')).toBe('warning partitions none for today')
  },
)

test('clocks that are minutes apart are a fault', async () => {
  const ahead = await emptyDatabase()
  await ahead.db.pool.query(`create schema ahead;
    create function ahead.clock_timestamp() returns timestamptz language sql
      as $$ select pg_catalog.clock_timestamp() + interval '6 minutes' $$`)
  const { rows } = await ahead.db.pool.query<{ name: string }>('select current_database() as name')
  await ahead.db.pool.query(
    `alter database ${rows[0]!.name} set search_path = ahead, pg_catalog, public`,
  )
  const told = await doctor(settingsFor(ahead.connection, folder))
  expect(lineOf(told, 'clock')).toMatch(/^fault clock .* 3[56]\d\.\d s apart: receivers may reject/)
  expect(told.code).toBe(1)
})

test('reports what is late, paused or on hold', async () => {
  await runOperator(env, ['pause-hooks'])
  expect(lineOf(await doctor(), 'hooks')).toMatch(/^warning hooks paused since /)
  await runOperator(env, ['resume-hooks'])
})

systemTest('a bucket that accepts no files is a fault, with its reason', async () => {
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
  expect(lineOf(right, 'files')).toMatch(
    /^ok files the bucket wasla-files at .*deleted a test file$/,
  )
  expect(lineOf(wrong, 'files')).toMatch(/^fault files .*SignatureDoesNotMatch/)
  expect([right.code, wrong.code]).toEqual([0, 1])
  expect(wrong.stdout + wrong.stderr).not.toContain('a-wrong-one')
})

test('a transaction that stays open on the database is a warning, and one elsewhere on the server is none', async () => {
  const { db } = world.database
  const warned = /^process \d+ of the database has had one open for 0 minutes: queues become slow$/
  const elsewhere = await emptyDatabase()
  const endElsewhere = await holdSnapshot(elsewhere.db.pool)
  expect(await checkTransactions(db, 0)).toMatchObject({ level: 'ok' })
  endElsewhere()
  const end = await holdSnapshot(db.pool)
  expect(await checkTransactions(db, 0)).toMatchObject({
    level: 'warning',
    detail: expect.stringMatching(warned),
  })
  expect(await checkTransactions(db)).toMatchObject({ level: 'ok' })
  end()
})
