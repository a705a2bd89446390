import { execFile, spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from '../../src/database/embedded/start-embedded-postgres.ts'
import { dataFolderWithCluster, query, temporaryFolder } from '../support/data-folder.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { PATIENCE } from '../support/patience.ts'

const settings = { fsync: 'off' }

describe('a backup', () => {
  test('that was copied, by whomever, starts where it lies', async () => {
    const dataFolder = await dataFolderWithCluster(['data/postgres', 'copy/postgres'])
    const copyFolder = join(dataFolder, '../copy')
    const first = await startEmbeddedPostgres({ dataFolder, settings })
    await query(first.connection, 'create table kept ()')
    await first.stop()
    // As `cp -r` does it: the copy belongs to who copies, with the modes of the original.
    await promisify(execFile)('cp', ['-r', dataFolder, copyFolder])
    const copy = await stat(join(copyFolder, 'postgres'))
    expect(copy.uid).toBe(process.getuid!())

    const restored = await startEmbeddedPostgres({ dataFolder: copyFolder, settings })
    expect(await query(restored.connection, 'select * from kept')).toEqual([])
    await restored.stop()
  })

  test(
    'that names the server of the original, as one copied while that ran, leaves that server alone',
    { timeout: 60_000 * PATIENCE },
    async () => {
      const dataFolder = await dataFolderWithCluster(['data/postgres', 'copy/postgres'])
      const copyFolder = join(dataFolder, '../copy')
      await (await startEmbeddedPostgres({ dataFolder, settings })).stop()
      await promisify(execFile)('cp', ['-r', dataFolder, copyFolder])
      const running = await startEmbeddedPostgres({ dataFolder, settings })
      const pidFile = 'postgres/postmaster.pid'
      await promisify(execFile)('cp', [join(dataFolder, pidFile), join(copyFolder, pidFile)])

      const restored = await startEmbeddedPostgres({ dataFolder: copyFolder, settings })
      expect(restored.pid).not.toBe(running.pid)
      expect(await query(running.connection, 'select 1 as one')).toEqual([{ one: 1 }])
      await restored.stop()
      await running.stop()
    },
  )
})

describe('what a crash left behind', () => {
  test('the number of an ended server, given to another process since', async () => {
    const dataFolder = await dataFolderWithCluster()
    const path = join(dataFolder, 'postgres/postmaster.pid')
    const first = await startEmbeddedPostgres({ dataFolder, settings })
    await query(first.connection, 'create table kept ()')
    const file = await readFile(path, 'utf8')
    await first.stop()
    // A process of the same user, so that PostgreSQL by itself would take it for a server.
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

  test('half-made data of a start that was killed is removed and made anew', async () => {
    const dataFolder = join(await temporaryFolder(), 'data')
    await mkdir(join(dataFolder, 'postgres-new-half'), { recursive: true })
    await writeFile(join(dataFolder, 'postgres-new-half/PG_VERSION'), '18\n')
    const server = await startEmbeddedPostgres({ dataFolder, settings })
    expect(await readdir(dataFolder)).toEqual(['postgres', 'postgres.log'])
    await server.stop()
  })

  test('a log that has grown large is begun anew', async () => {
    const dataFolder = await dataFolderWithCluster()
    await writeFile(join(dataFolder, 'postgres.log'), 'x'.repeat(2_000_000))
    const server = await startEmbeddedPostgres({ dataFolder, settings })
    await server.stop()
    expect((await readFile(join(dataFolder, 'postgres.log'))).length).toBeLessThan(10_000)
  })
})

describe('data of another major version', () => {
  test.each(['17', '19'])(
    '%s is refused with both versions, and nothing is touched',
    async (version) => {
      const dataFolder = join(await temporaryFolder(), 'data')
      await mkdir(join(dataFolder, 'postgres'), { recursive: true })
      await writeFile(join(dataFolder, 'postgres/PG_VERSION'), `${version}\n`)
      const start = startEmbeddedPostgres({ dataFolder, settings })
      await expect(start).rejects.toThrow(
        new RegExp(`is of PostgreSQL ${version}, but this version of Wasla brings PostgreSQL 18`),
      )
      expect(await readdir(dataFolder)).toEqual(['postgres'])
      expect(await readdir(join(dataFolder, 'postgres'))).toEqual(['PG_VERSION'])
    },
  )
})

describe('where the folder lies', () => {
  test('a path longer than the name of a socket may be', async () => {
    const deep = `${'deep/'.repeat(30)}data`
    const folder = await temporaryFolder([`${deep}/postgres`])
    const dataFolder = join(folder, deep)
    const server = await startEmbeddedPostgres({ dataFolder, settings })
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
    expect(await readdir(dataFolder)).toEqual(['postgres', 'postgres.log'])
  })

  test('a path with spaces, quotes and Arabic letters', async () => {
    const folder = await temporaryFolder([`it's "وصلة" $HOME/postgres`])
    const dataFolder = join(folder, `it's "وصلة" $HOME`)
    const server = await startEmbeddedPostgres({ dataFolder, settings })
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
  })
})
