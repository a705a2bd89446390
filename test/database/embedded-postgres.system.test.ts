import { execFile, spawn } from 'node:child_process'
import {
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import { startEmbeddedPostgres } from '../../src/infra/database/embedded/start-embedded-postgres.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'
import { dataFolderWithCluster, query, temporaryFolder } from '../support/data-folder.ts'
import { startServiceProcess } from '../support/service-process.ts'

const settings = { fsync: 'off' }
/** Up to five seconds pass between two attempts to restart it. */
const PATIENTLY = { timeout: 15_000 * TIMEOUT_FACTOR }
const run = promisify(execFile)

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('the embedded PostgreSQL', () => {
  test('keeps its data over a stop and a start', async () => {
    const dataFolder = await dataFolderWithCluster()
    const first = await startEmbeddedPostgres({ dataFolder, settings })
    await query(first.connection, `create table kept as select 'وصلة' as name`)
    await first.stop()
    await expect.poll(() => isRunning(first.pid)).toBe(false)
    await expect(lstat(first.connection.host)).rejects.toThrow('ENOENT')

    const second = await startEmbeddedPostgres({ dataFolder, settings })
    expect(await query(second.connection, 'select name from kept')).toEqual([{ name: 'وصلة' }])
    await second.stop()
    expect(await readdir(dataFolder)).toEqual(['postgres', 'postgres.log'])
  })

  test('writes UTF-8, compares by code point, and loses nothing that was committed', async () => {
    const dataFolder = join(await temporaryFolder(), 'data')
    const server = await startEmbeddedPostgres({ dataFolder })
    const rows = (await query(
      server.connection,
      `select name, setting from pg_settings where name = any('{fsync, synchronous_commit,
        full_page_writes, server_encoding, jit, listen_addresses, TimeZone}')`,
    )) as { name: string; setting: string }[]
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      TimeZone: 'UTC',
      fsync: 'on',
      full_page_writes: 'on',
      jit: 'off',
      listen_addresses: '',
      server_encoding: 'UTF8',
      synchronous_commit: 'on',
    })
    const compared = await query(server.connection, `select lower('ÄЖ') as low, 'a' > 'B' as later`)
    expect(compared).toEqual([{ low: 'äж', later: true }])
    await server.stop()
  })

  test('is reached through a socket that only its user can open, in a separate process group', async () => {
    const dataFolder = await dataFolderWithCluster()
    const server = await startEmbeddedPostgres({ dataFolder, settings })
    const { mode, uid } = await stat(server.connection.host)
    expect(mode & 0o777).toBe(0o700)
    expect(uid).toBe((await stat(join(dataFolder, 'postgres'))).uid)
    expect((await stat(dataFolder)).mode & 0o777).toBe(0o700)
    // A Ctrl-C in the terminal therefore does not reach it.
    const { stdout } = await run('ps', ['-o', 'pgid=', '-p', String(server.pid)])
    expect(Number(stdout)).toBe(server.pid)
    await server.stop()
  })

  test('is restarted when it ends unexpectedly, at the same socket', async () => {
    const dataFolder = await dataFolderWithCluster()
    const { promise: isBack, resolve } = Promise.withResolvers<string>()
    // The service may report it as unavailable before: parts of the old server were still ending.
    const log = (line: string) => line.includes('it is back') && resolve(line)
    const server = await startEmbeddedPostgres({ dataFolder, settings, log })
    const db = connectDatabase(server.connection)
    await db.pool.query('create table kept ()')
    const earlier = server.pid
    process.kill(earlier, 'SIGQUIT')
    expect(await isBack).toContain('it is back')
    expect(server.pid).not.toBe(earlier)
    expect((await db.pool.query('select * from kept')).rows).toEqual([])
    await db.close()
    await server.stop()
    await expect.poll(() => isRunning(server.pid)).toBe(false)
  })

  test('is restarted at its first socket also after another process had started it elsewhere', async () => {
    const dataFolder = await dataFolderWithCluster()
    const backs: string[] = []
    const log = (line: string) => line.includes('it is back') && backs.push(line)
    const server = await startEmbeddedPostgres({ dataFolder, settings, log })
    const { host } = server.connection
    // Its socket is where a command that started it in between would have put it.
    const elsewhere = await mkdtemp('/tmp/wasla-')
    const { uid, gid } = await stat(host)
    await chown(elsewhere, uid, gid)
    await symlink(join(host, '.s.PGSQL.5432'), join(elsewhere, '.s.PGSQL.5432'))
    const path = join(dataFolder, 'postgres/postmaster.pid')
    await writeFile(path, (await readFile(path, 'utf8')).replace(host, elsewhere))
    await query(
      server.connection,
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name like 'wasla owner %'`,
    )
    await expect.poll(() => backs.length, PATIENTLY).toBe(1)
    const { pid } = server
    process.kill(pid, 'SIGQUIT')
    await expect.poll(() => isRunning(pid)).toBe(false)
    const select = async () => query(server.connection, 'select 1 as one').catch(() => 'away')
    await expect.poll(select, PATIENTLY).toEqual([{ one: 1 }])
    await server.stop()
  })

  test('does not write the values of a statement into its log', async () => {
    const dataFolder = await dataFolderWithCluster()
    const server = await startEmbeddedPostgres({ dataFolder, settings })
    await query(server.connection, 'create table once (value text unique)')
    const insert = `insert into once values ('+966500000001')`
    await query(server.connection, insert)
    await expect(query(server.connection, insert)).rejects.toThrow('duplicate key')
    await server.stop()
    const log = await readFile(join(dataFolder, 'postgres.log'), 'utf8')
    expect(log).toContain('database system is ready')
    expect(log).not.toContain('966500000001')
  })
})

describe('one data folder, one service', () => {
  test('a second service is refused, and names the process that uses the folder', async () => {
    const dataFolder = await dataFolderWithCluster()
    const service = await startServiceProcess(dataFolder)
    await expect(startEmbeddedPostgres({ dataFolder, settings })).rejects.toThrow(
      `Another Wasla (pid ${service.pid}) is using ${dataFolder}; stop it first`,
    )
    expect(await query(service.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await service.end('SIGTERM')
    // The server deletes its file and then ends; the service waits for either.
    await expect.poll(() => isRunning(service.postgresPid)).toBe(false)
  })

  test('only one of two services that start together on an empty folder wins', async () => {
    const dataFolder = join(await temporaryFolder(), 'data')
    const start = () => startServiceProcess(dataFolder).catch((error: unknown) => String(error))
    const results = await Promise.all([start(), start()])
    const winners = results.filter((result) => typeof result !== 'string')
    const refusals = results.filter((result) => typeof result === 'string')
    expect(winners).toHaveLength(1)
    expect(refusals[0]).toContain(`Another Wasla (pid ${winners[0]!.pid}) is using`)
    await winners[0]!.end('SIGTERM')
    expect(await readdir(dataFolder)).toEqual(['postgres', 'postgres.log'])
  })

  test('a server that has not yet written where its socket is, is waited for and not stopped', async () => {
    const dataFolder = await dataFolderWithCluster()
    const service = await startServiceProcess(dataFolder)
    await service.end('SIGKILL')
    const path = join(dataFolder, 'postgres/postmaster.pid')
    const whole = await readFile(path, 'utf8')
    await writeFile(path, whole.split('\n').slice(0, 4).join('\n') + '\n')

    const next = startEmbeddedPostgres({ dataFolder, settings })
    await setTimeout(500)
    expect(isRunning(service.postgresPid)).toBe(true)
    await writeFile(path, whole)
    const server = await next
    expect(server.pid).toBe(service.postgresPid)
    await server.stop()
  })

  test('a server that says it is starting is waited for, however long that takes, and not stopped', async () => {
    const dataFolder = await dataFolderWithCluster()
    const service = await startServiceProcess(dataFolder)
    await service.end('SIGKILL')
    const path = join(dataFolder, 'postgres/postmaster.pid')
    const lines = (await readFile(path, 'utf8')).split('\n')
    await writeFile(path, lines.with(7, 'starting').join('\n'))
    process.kill(service.postgresPid, 'SIGSTOP')
    let next: ReturnType<typeof startEmbeddedPostgres>
    try {
      next = startEmbeddedPostgres({ dataFolder, settings })
      // This is longer than a ready server may be silent.
      await setTimeout(5_500)
    } finally {
      process.kill(service.postgresPid, 'SIGCONT')
    }
    const server = await next
    expect(server.pid).toBe(service.postgresPid)
    await server.stop()
  })

  test('the service after a killed one takes over its server and can stop it', async () => {
    const dataFolder = await dataFolderWithCluster()
    const service = await startServiceProcess(dataFolder)
    await query(service.connection, 'create table kept ()')
    await service.end('SIGKILL')
    expect(isRunning(service.postgresPid)).toBe(true)

    const next = await startEmbeddedPostgres({ dataFolder, settings })
    expect(next.pid).toBe(service.postgresPid)
    expect(await query(next.connection, 'select * from kept')).toEqual([])
    await next.stop()
    await expect(query(next.connection, 'select 1')).rejects.toThrow('ENOENT')
    await expect(stat(join(dataFolder, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT')
  })
})

describe('a backup', () => {
  test('copied by any user starts in its new folder', async () => {
    const dataFolder = await dataFolderWithCluster(['data/postgres', 'copy/postgres'])
    const copyFolder = join(dataFolder, '../copy')
    const first = await startEmbeddedPostgres({ dataFolder, settings })
    await query(first.connection, 'create table kept ()')
    await first.stop()
    // The copy belongs to the user who copies, as with `cp -r`, and has the modes of the original.
    await run('cp', ['-r', dataFolder, copyFolder])
    const copy = await stat(join(copyFolder, 'postgres'))
    expect(copy.uid).toBe(process.getuid!())

    const restored = await startEmbeddedPostgres({ dataFolder: copyFolder, settings })
    expect(await query(restored.connection, 'select * from kept')).toEqual([])
    await restored.stop()
  })

  test('copied while the original ran leaves the server of the original alone', async () => {
    const dataFolder = await dataFolderWithCluster(['data/postgres', 'copy/postgres'])
    const copyFolder = join(dataFolder, '../copy')
    await (await startEmbeddedPostgres({ dataFolder, settings })).stop()
    await run('cp', ['-r', dataFolder, copyFolder])
    const running = await startEmbeddedPostgres({ dataFolder, settings })
    const pidFile = 'postgres/postmaster.pid'
    await run('cp', [join(dataFolder, pidFile), join(copyFolder, pidFile)])

    const restored = await startEmbeddedPostgres({ dataFolder: copyFolder, settings })
    expect(restored.pid).not.toBe(running.pid)
    expect(await query(running.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await restored.stop()
    await running.stop()
  })
})

describe('leftovers of a crash', () => {
  test('the number of an ended server, given to another process since', async () => {
    const dataFolder = await dataFolderWithCluster()
    const path = join(dataFolder, 'postgres/postmaster.pid')
    const first = await startEmbeddedPostgres({ dataFolder, settings })
    await query(first.connection, 'create table kept ()')
    const file = await readFile(path, 'utf8')
    await first.stop()
    // A process of the same user, which PostgreSQL alone would take for a server.
    const user = await stat(join(dataFolder, 'postgres'))
    const other = spawn('sleep', ['600'], {
      cwd: '/',
      ...(process.getuid?.() === 0 && { uid: user.uid, gid: user.gid }),
    })
    onTestFinished(() => void other.kill('SIGKILL'))
    await writeFile(path, file.replace(/^\d+/, String(other.pid)))

    const second = await startEmbeddedPostgres({ dataFolder, settings })
    expect(second.pid).not.toBe(other.pid)
    expect(await query(second.connection, 'select * from kept')).toEqual([])
    await second.stop()
    expect(other.exitCode).toBeNull()
  })

  test.each([
    ['the number of a process that has ended', '4194000\n/x\n1\n5432\n/tmp/wasla-gone\n\n 1 1\n'],
    ['an empty postmaster.pid', ''],
  ])('%s', async (_name, text) => {
    const dataFolder = await dataFolderWithCluster()
    await (await startEmbeddedPostgres({ dataFolder, settings })).stop()
    await writeFile(join(dataFolder, 'postgres/postmaster.pid'), text)
    const server = await startEmbeddedPostgres({ dataFolder, settings })
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
  })

  test('a server that was killed with the service: the database recovers', async () => {
    const dataFolder = await dataFolderWithCluster()
    const service = await startServiceProcess(dataFolder)
    await query(service.connection, 'create table kept ()')
    process.kill(service.postgresPid, 'SIGKILL')
    await service.end('SIGKILL')
    const next = await startEmbeddedPostgres({ dataFolder, settings })
    expect(next.pid).not.toBe(service.postgresPid)
    expect(await query(next.connection, 'select * from kept')).toEqual([])
    await expect(stat(service.connection.host!)).rejects.toThrow('ENOENT')
    await next.stop()
  })

  test('a server that runs but has lost its socket is replaced', async () => {
    const dataFolder = await dataFolderWithCluster()
    const service = await startServiceProcess(dataFolder)
    await rm(service.connection.host!, { recursive: true })
    await service.end('SIGKILL')
    const next = await startEmbeddedPostgres({ dataFolder, settings })
    expect(next.pid).not.toBe(service.postgresPid)
    expect(await query(next.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await next.stop()
  })

  test('half-made data of a killed start is removed and made again', async () => {
    const dataFolder = join(await temporaryFolder(), 'data')
    await mkdir(join(dataFolder, 'postgres-new-half'), { recursive: true })
    await writeFile(join(dataFolder, 'postgres-new-half/PG_VERSION'), '18\n')
    const server = await startEmbeddedPostgres({ dataFolder, settings })
    expect(await readdir(dataFolder)).toEqual(['owner.json', 'postgres', 'postgres.log'])
    await server.stop()
  })

  test('a log that has grown large is started again', async () => {
    const dataFolder = await dataFolderWithCluster()
    await writeFile(join(dataFolder, 'postgres.log'), 'x'.repeat(2_000_000))
    const server = await startEmbeddedPostgres({ dataFolder, settings })
    await server.stop()
    expect((await readFile(join(dataFolder, 'postgres.log'))).length).toBeLessThan(10_000)
  })
})

describe('data of another major version', () => {
  test.each(['17', '19'])('%s is refused, and nothing is changed', async (version) => {
    const dataFolder = join(await temporaryFolder(), 'data')
    await mkdir(join(dataFolder, 'postgres'), { recursive: true })
    await writeFile(join(dataFolder, 'postgres/PG_VERSION'), `${version}\n`)
    const both = `is of PostgreSQL ${version}, but this version of Wasla brings PostgreSQL 18`
    await expect(startEmbeddedPostgres({ dataFolder, settings })).rejects.toThrow(both)
    expect(await readdir(dataFolder)).toEqual(['postgres'])
    expect(await readdir(join(dataFolder, 'postgres'))).toEqual(['PG_VERSION'])
  })
})

describe('the path of the folder', () => {
  test.each([
    ['longer than the name of a socket may be', `${'deep/'.repeat(30)}data`],
    ['with spaces, quotes and Arabic letters', `it's "وصلة" $HOME`],
  ])('a path %s', async (_, within) => {
    const dataFolder = join(await temporaryFolder([`${within}/postgres`]), within)
    const server = await startEmbeddedPostgres({ dataFolder, settings })
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
    expect(await readdir(dataFolder)).toEqual(['postgres', 'postgres.log'])
  })
})
