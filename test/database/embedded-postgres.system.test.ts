import { execFile } from 'node:child_process'
import {
  chown,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { connectDatabase } from '../../src/database/connect.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded/start-embedded-postgres.ts'
import { PATIENCE } from '../support/patience.ts'
import { dataFolderWithCluster, query, temporaryFolder } from '../support/data-folder.ts'
import { startServiceProcess } from '../support/service-process.ts'

const settings = { fsync: 'off' }
/** Between two tries to start it again lie up to five seconds. */
const PATIENTLY = { timeout: 15_000 * PATIENCE }
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
    const rows = await query(
      server.connection,
      `select name, setting from pg_settings where name = any('{fsync, synchronous_commit,
        full_page_writes, server_encoding, jit, listen_addresses, TimeZone}') order by name`,
    )
    expect(rows).toEqual([
      { name: 'TimeZone', setting: 'UTC' },
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'jit', setting: 'off' },
      { name: 'listen_addresses', setting: '' },
      { name: 'server_encoding', setting: 'UTF8' },
      { name: 'synchronous_commit', setting: 'on' },
    ])
    expect(await query(server.connection, `select lower('ÄЖ') as low, 'a' > 'B' as later`)).toEqual(
      [{ low: 'äж', later: true }],
    )
    await server.stop()
  })

  test('is reached through a socket in a folder that only its user can enter', async () => {
    const dataFolder = await dataFolderWithCluster()
    const server = await startEmbeddedPostgres({ dataFolder, settings })
    const { mode, uid } = await stat(server.connection.host)
    expect(mode & 0o777).toBe(0o700)
    expect(uid).toBe((await stat(join(dataFolder, 'postgres'))).uid)
    expect((await stat(dataFolder)).mode & 0o777).toBe(0o700)
    await server.stop()
  })

  test('does not hear the Ctrl-C of the terminal: it is in a process group of its own', async () => {
    const dataFolder = await dataFolderWithCluster()
    const server = await startEmbeddedPostgres({ dataFolder, settings })
    const { stdout } = await run('ps', ['-o', 'pgid=', '-p', String(server.pid)])
    expect(Number(stdout)).toBe(server.pid)
    await server.stop()
  })

  test('is started again when it ends by itself, at the same socket', async () => {
    const dataFolder = await dataFolderWithCluster()
    const { promise: isBack, resolve } = Promise.withResolvers<string>()
    // It may say before that it is away: parts of the old one were still ending.
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

  test('comes back where it was also after somebody else had started it elsewhere', async () => {
    const dataFolder = await dataFolderWithCluster()
    const backs: string[] = []
    const log = (line: string) => line.includes('it is back') && backs.push(line)
    const server = await startEmbeddedPostgres({ dataFolder, settings, log })
    const { host } = server.connection
    // It has its socket where a command that started it in between would have put it.
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

  test('does not write what a statement held into its log', async () => {
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
  test('a second service is refused and told who uses the folder', async () => {
    const dataFolder = await dataFolderWithCluster()
    const service = await startServiceProcess(dataFolder)
    await expect(startEmbeddedPostgres({ dataFolder, settings })).rejects.toThrow(
      `Another Wasla (pid ${service.pid}) is using ${dataFolder}; stop it first`,
    )
    expect(await query(service.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await service.end('SIGTERM')
    // It takes its file away, and ends: the service waits for the one or the other.
    await expect.poll(() => isRunning(service.postgresPid)).toBe(false)
  })

  test('of two that start together on an empty folder one wins', async () => {
    const dataFolder = join(await temporaryFolder(), 'data')
    const results = await Promise.allSettled([
      startServiceProcess(dataFolder),
      startServiceProcess(dataFolder),
    ])
    const winners = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    )
    const refusals = results.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    )
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

  test('a server that says it is starting is waited for, however slowly it does, and not stopped', async () => {
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
      // Longer than one that is ready may be silent.
      await setTimeout(5_500)
    } finally {
      process.kill(service.postgresPid, 'SIGCONT')
    }
    const server = await next
    expect(server.pid).toBe(service.postgresPid)
    await server.stop()
  })

  test('after the service was killed, the next one takes its server over and can stop it', async () => {
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
