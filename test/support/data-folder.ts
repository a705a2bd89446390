import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import type { Connection } from '../../src/infra/database/connect.ts'
import { giveCluster } from './made-cluster.ts'
import { quickFolder } from './quick-folder.ts'

/**
 * Creates a temporary folder for a test, in memory where there is room; programs may not be allowed to run
 * there. After the test, a server that still runs below it, in one of the `clusters`, is ended by its pid and
 * the folder is removed.
 */
export async function temporaryFolder(
  clusters: string[] = ['data/postgres'],
  below = quickFolder(),
): Promise<string> {
  const folder = await mkdtemp(join(below, 'wasla-folder-'))
  await chmod(folder, 0o755)
  onTestFinished(async () => {
    for (const cluster of clusters) await endServer(join(folder, cluster))
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })
  return folder
}

/** Creates a data folder for a test with a copy of the shared cluster, so that no test waits for `initdb`. */
export async function dataFolderWithCluster(clusters?: string[]): Promise<string> {
  const dataFolder = join(await temporaryFolder(clusters), 'data')
  await giveCluster(inject('cluster'), dataFolder)
  return dataFolder
}

export async function query(connection: Connection, sql: string): Promise<unknown[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function endServer(cluster: string): Promise<void> {
  const file = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid = '', , , , socketFolder = ''] = file.split('\n')
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  if (!command.includes('postgres')) return
  process.kill(Number(pid), 'SIGQUIT')
  if (socketFolder.startsWith('/tmp/wasla-')) await rm(socketFolder, { recursive: true })
}
