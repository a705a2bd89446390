/** A data folder that several containers share: one volume, but separate PID, IPC and mount namespaces. */
import { readFileSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabaseForCommand } from '../../src/infra/database/open-for-command.ts'
import { isAlive } from '../../src/infra/database/embedded/running-postmaster.ts'
import { startEmbeddedPostgres } from '../../src/infra/database/embedded/start-embedded-postgres.ts'
import { dataFolderWithCluster, query } from '../support/data-folder.ts'
import { mayRun, within } from '../support/namespaces.ts'
import { startServiceProcess, type ServiceProcess } from '../support/service-process.ts'

const settings = { fsync: 'off' }
const REFUSED =
  /Another Wasla or its PostgreSQL is using .*Two servers on one folder would lose data/s

/** A container that ends with its first process; with `init`, another process outlives the service in it. */
const container = (hostName: string, { init = false } = {}) => [
  ...within(
    ['--pid', '--ipc', '--mount', '--uts', '--fork', '--kill-child', '--mount-proc'],
    `hostname ${hostName}`,
  ),
  ...(init ? ['sh', '-c', '"$0" "$@"; sleep 600'] : []),
]

const mayContain = mayRun(container('host'))
const why = mayContain
  ? ''
  : ' (skipped: this user may not run unshare, or data of tests lie in /tmp)'

/** Returns the number, on the host, of the process that `unshare` started. */
function firstInside({ pid }: ServiceProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0])
}

const postmasterFile = (dataFolder: string) =>
  readFile(join(dataFolder, 'postgres/postmaster.pid'), 'utf8')

async function endInOrder(service: ServiceProcess): Promise<void> {
  const inside = firstInside(service)
  process.kill(inside, 'SIGTERM')
  await expect.poll(() => isAlive(service.pid), { timeout: 20_000 }).toBe(false)
}

describe.skipIf(!mayContain)(`a data folder that containers share${why}`, () => {
  test.each([
    [
      'a second container',
      (dataFolder: string) => startServiceProcess(dataFolder, { within: container('second') }),
    ],
    [
      'a service on the host',
      (dataFolder: string) => startEmbeddedPostgres({ dataFolder, settings }),
    ],
    [
      'a command of the operator on the host',
      (dataFolder: string) =>
        openDatabaseForCommand(
          { databaseUrl: null, databasePool: 4, dataFolder },
          pino({ level: 'silent' }),
        ),
    ],
  ])('is kept by the running one: %s is refused by its name', async (_by, start) => {
    const dataFolder = await dataFolderWithCluster()
    const first = await startServiceProcess(dataFolder, { within: container('first') })
    const file = await postmasterFile(dataFolder)
    await expect(start(dataFolder)).rejects.toThrow(/process \d+ of host first/)
    await expect(start(dataFolder)).rejects.toThrow(REFUSED)
    expect(await postmasterFile(dataFolder)).toBe(file)
    await endInOrder(first)
    const next = await startEmbeddedPostgres({ dataFolder, settings })
    await next.stop()
  })

  test('is taken over from a killed container once that shows no sign of life', async () => {
    const dataFolder = await dataFolderWithCluster()
    const first = await startServiceProcess(dataFolder, { within: container('first') })
    const inside = firstInside(first)
    await first.end('SIGKILL')
    await expect.poll(() => isAlive(inside)).toBe(false)
    const next = await startServiceProcess(dataFolder, { within: container('second') })
    await endInOrder(next)
  })

  test.each([
    ['frozen', 'SIGSTOP'],
    ['killed while its PostgreSQL goes on', 'SIGKILL'],
  ] as const)('is not taken from a service that was %s', async (_how, signal) => {
    const dataFolder = await dataFolderWithCluster()
    const first = await startServiceProcess(dataFolder, {
      within: container('first', { init: true }),
    })
    const init = firstInside(first)
    const service = Number(
      readFileSync(`/proc/${init}/task/${init}/children`, 'utf8').split(' ')[0],
    )
    process.kill(service, signal)
    await expect(startEmbeddedPostgres({ dataFolder, settings })).rejects.toThrow(REFUSED)
    await first.end('SIGKILL')
  })

  test('is won by only one of two containers that start together on an empty folder', async () => {
    const dataFolder = await dataFolderWithCluster()
    const results = await Promise.all(
      ['one', 'two'].map((name) =>
        startServiceProcess(dataFolder, { within: container(name) }).catch((error: unknown) =>
          String(error),
        ),
      ),
    )
    expect(results.filter((result) => typeof result === 'string')).toEqual([
      expect.stringMatching(REFUSED),
    ])
    for (const won of results) if (typeof won !== 'string') await endInOrder(won)
  })

  test('ends its server if another container has taken it, as after a long sleep', async () => {
    const dataFolder = await dataFolderWithCluster()
    const server = await startEmbeddedPostgres({ dataFolder, settings })
    onTestFinished(() => server.stop())
    const { pid } = server
    const path = join(dataFolder, 'owner.json')
    const owner = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
    await writeFile(`${path}.new`, JSON.stringify({ ...owner, hostName: 'x', token: 'another' }))
    await rename(`${path}.new`, path)
    await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false)
    expect(await query(server.connection, 'select 1').catch(() => 'refused')).toBe('refused')
  })
})
