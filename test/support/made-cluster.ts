/** A cluster as `initdb` makes it, made once for all tests and copied by those that test something else. */
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findBinaries } from '../../src/infra/database/embedded/binaries.ts'
import { createCluster } from '../../src/infra/database/embedded/create-cluster.ts'
import { chooseServerUser } from '../../src/infra/database/embedded/server-user.ts'

const run = promisify(execFile)

/** Makes a cluster below the folder. Returns its path. */
export async function makeCluster(folder: string): Promise<string> {
  const user = await chooseServerUser([folder])
  await createCluster(folder, await findBinaries(user, undefined), user)
  return join(folder, 'postgres')
}

/** Puts a copy into a data folder: the next start on it finds a database that was stopped. */
export async function giveCluster(cluster: string, dataFolder: string): Promise<void> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  // The copy keeps owner and rights, because the server checks them.
  await run('cp', ['-a', cluster, join(dataFolder, 'postgres')])
}
