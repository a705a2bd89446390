import { chmod, lstat, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { query, temporaryFolder } from '../support/data-folder.ts'
import { makeClone } from '../support/make-clone.ts'
import { startServiceProcess } from '../support/service-process.ts'

const isRoot = process.getuid?.() === 0

async function removeLinks(programs: string): Promise<number> {
  const links = JSON.parse(await readFile(join(programs, 'pg-symlinks.json'), 'utf8')) as {
    target: string
  }[]
  for (const { target } of links) await rm(join(programs, '..', target), { force: true })
  return links.length
}

test('the first start makes the links between libraries that npm leaves out', async () => {
  const folder = await temporaryFolder(undefined, '/tmp')
  const clone = join(folder, 'clone')
  const { programs } = await makeClone(clone)
  expect(await removeLinks(programs)).toBeGreaterThan(0)
  const cacheFolder = join(folder, 'cache')
  const service = await startServiceProcess(join(folder, 'data'), { project: clone, cacheFolder })
  expect(await query(service.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await service.end('SIGTERM')
  const link = await lstat(join(programs, 'lib/libpq.so.5'))
  expect(link.isSymbolicLink()).toBe(true)
  await expect(lstat(cacheFolder)).rejects.toThrow('ENOENT')
})

/** The two cases in which programs cannot run where npm put them. */
const OUT_OF_REACH = isRoot
  ? {
      title: 'started by root below a folder that only root can enter',
      async make(clone: string, programs: string) {
        await chmod(clone, 0o700)
        // npm leaves the folder like this under root's umask 077.
        await chmod(join(programs, 'lib'), 0o700)
        await chmod(join(programs, 'bin/postgres'), 0o700)
      },
    }
  : {
      title: 'in a clone that cannot be written to and lacks the links',
      async make(_clone: string, programs: string) {
        await removeLinks(programs)
        await chmod(join(programs, 'lib'), 0o555)
        onTestFinished(() => chmod(join(programs, 'lib'), 0o755))
      },
    }

test(`${OUT_OF_REACH.title} it works: its data is in place, its programs are a copy`, async () => {
  const folder = await temporaryFolder(['clone/data/postgres'], '/tmp')
  const clone = join(folder, 'clone')
  const { programs } = await makeClone(clone)
  await OUT_OF_REACH.make(clone, programs)
  const cacheFolder = join(folder, 'cache')
  const dataFolder = join(clone, 'data')
  const options = { project: clone, cacheFolder }
  const service = await startServiceProcess(dataFolder, options)
  await query(service.connection, 'create table kept ()')
  const owner = (await stat(join(dataFolder, 'postgres'))).uid
  expect(owner === process.getuid?.()).toBe(!isRoot)
  await service.end('SIGKILL')

  const adopting = await startServiceProcess(dataFolder, options)
  expect(adopting.postgresPid).toBe(service.postgresPid)
  expect(await query(adopting.connection, 'select * from kept')).toEqual([])
  await adopting.end('SIGTERM')

  const again = await startServiceProcess(dataFolder, options)
  expect(await query(again.connection, 'select * from kept')).toEqual([])
  await again.end('SIGTERM')
  expect(await readdir(dataFolder)).toEqual(['postgres', 'postgres.log'])
  // The cache has one complete copy and no partial one.
  expect(await readdir(cacheFolder)).toEqual([expect.stringMatching(/^postgres-18\./)])
})

test('programs in a cache that others can write to are not run', async () => {
  const folder = await temporaryFolder(undefined, '/tmp')
  const clone = join(folder, 'clone')
  const { programs } = await makeClone(clone)
  // The programs do not run where npm put them, so the cache is checked.
  await writeFile(join(programs, 'bin/postgres'), 'damaged')
  const cacheFolder = join(folder, 'cache')
  const options = { project: clone, cacheFolder }
  const start = () => startServiceProcess(join(folder, 'data'), options)
  await expect(start()).rejects.toThrow('Set DATABASE_URL')
  await chmod(cacheFolder, 0o777)
  await expect(start()).rejects.toThrow('that nobody else can write to')
  await rm(cacheFolder, { recursive: true })
  await symlink(join(folder, 'clone'), cacheFolder)
  await expect(start()).rejects.toThrow('that nobody else can write to')
})
