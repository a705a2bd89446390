/** A command of the operator while a service with the embedded database runs. */
import { rename } from 'node:fs/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabaseForCommand } from '../../src/infra/database/open-for-command.ts'
import { openDatabase } from '../../src/infra/database/open-database.ts'
import { openLongSession } from '../../src/infra/database/long-session.ts'
import { startEmbeddedPostgres } from '../../src/infra/database/embedded/start-embedded-postgres.ts'
import { isAlive } from '../../src/infra/database/embedded/running-postmaster.ts'
import { dataFolderWithCluster, query } from '../support/data-folder.ts'
import { mayRun, within } from '../support/namespaces.ts'
import { startServiceProcess } from '../support/service-process.ts'

const open = (dataFolder: string) =>
  openDatabaseForCommand(
    { databaseUrl: null, databasePool: 4, dataFolder },
    pino({ level: 'silent' }),
    {
      skipsMigrations: true,
    },
  )

/** A separate /tmp, as systemd gives a service one. */
const PRIVATE_TMP = within(['--mount'], 'true')

test('a command uses the running server, and leaves it running', async () => {
  const dataFolder = await dataFolderWithCluster()
  const service = await startServiceProcess(dataFolder)
  await query(service.connection, 'create table kept ()')
  const opened = await open(dataFolder)
  expect((await opened.database.pool.query('select * from kept')).rows).toEqual([])
  await opened.close()
  expect(await query(service.connection, 'select * from kept')).toEqual([])
  await service.end('SIGTERM')
})

test('PostgreSQL settings of the shell do not affect how the embedded server is found and used', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  const shell = {
    PGSSLMODE: 'require',
    PGSSLNEGOTIATION: 'direct',
    PGOPTIONS: '-c search_path=nowhere -c default_transaction_read_only=on',
    PGHOST: 'db.example.com',
    PGPORT: '6432',
    PGUSER: 'me',
    PGPASSWORD: 'hush',
    PGDATABASE: 'mine',
    PGSERVICE: 'mine',
  }
  for (const [name, value] of Object.entries(shell)) vi.stubEnv(name, value)
  const dataFolder = await dataFolderWithCluster()
  const config = { databaseUrl: null, databasePool: 4, dataFolder }
  const opened = await openDatabase(config, pino({ level: 'silent' }), { skipsMigrations: true })
  const beside = await open(dataFolder)
  const session = await openLongSession(opened.connection)
  for (const client of [
    opened.database.pool,
    opened.requestDatabase.pool,
    beside.database.pool,
    session,
  ]) {
    const { rows } = await client.query(
      `select current_user as by, current_database() as in, current_setting('search_path') as path,
        current_setting('default_transaction_read_only') as is_read_only`,
    )
    expect(rows).toEqual([
      { by: 'wasla', in: 'wasla', path: '"$user", public', is_read_only: 'off' },
    ])
  }
  await session.end()
  await beside.close()
  await opened.close()
})

test('a command does not end a server that it cannot reach, which continues to work', async () => {
  const dataFolder = await dataFolderWithCluster()
  const service = await startServiceProcess(dataFolder)
  const folder = service.connection.host!
  await rename(folder, `${folder}-away`)
  onTestFinished(() => rename(`${folder}-away`, folder).catch(() => {}))
  const told = `PostgreSQL (pid ${service.postgresPid}) of ${dataFolder}/postgres runs, but does not answer`
  await expect(open(dataFolder)).rejects.toThrow(told)
  expect(isAlive(service.postgresPid)).toBe(true)
  await rename(`${folder}-away`, folder)
  expect(await query(service.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await service.end('SIGTERM')
})

test.skipIf(!mayRun(PRIVATE_TMP))('a server with another /tmp is found (systemd)', async () => {
  const dataFolder = await dataFolderWithCluster()
  const service = await startServiceProcess(dataFolder, { within: PRIVATE_TMP })
  const opened = await open(dataFolder)
  const { rows } = await opened.database.pool.query<{ owner: string }>(
    `select application_name as owner from pg_stat_activity where application_name like 'wasla owner %'`,
  )
  expect(rows).toEqual([{ owner: `wasla owner ${service.pid}` }])
  await opened.close()
  expect(isAlive(service.postgresPid)).toBe(true)
  await service.end('SIGTERM')
  // The server deletes its file and then ends; the service waits for either.
  await expect.poll(() => isAlive(service.postgresPid)).toBe(false)
})

test.skipIf(!mayRun(PRIVATE_TMP))('another start does not stop that server either', async () => {
  const dataFolder = await dataFolderWithCluster()
  const service = await startServiceProcess(dataFolder, { within: PRIVATE_TMP })
  await expect(startEmbeddedPostgres({ dataFolder })).rejects.toThrow(
    `Another Wasla (pid ${service.pid}) is using ${dataFolder}`,
  )
  expect(isAlive(service.postgresPid)).toBe(true)
  await service.end('SIGKILL')
  const next = await startEmbeddedPostgres({ dataFolder, settings: { fsync: 'off' } })
  expect(next.pid).not.toBe(service.postgresPid)
  expect(await query(next.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await next.stop()
})
