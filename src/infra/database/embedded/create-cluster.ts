import { execFile } from 'node:child_process'
import { chown, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Binaries } from './binaries.ts'
import type { ServerUser } from './server-user.ts'
import { serverPath } from './postmaster.ts'
import { EMBEDDED_ROLE } from './running-postmaster.ts'

const run = promisify(execFile)
const TEMPORARY_PREFIX = 'postgres-new-'

/**
 * Creates the files of the embedded PostgreSQL in `<dataFolder>/postgres` if they are missing. It is created under
 * another name and renamed, so that an interrupted start leaves no half-made cluster.
 * @throws without a change for a cluster of another major version
 */
export async function createCluster(
  dataFolder: string,
  binaries: Binaries,
  user: ServerUser,
): Promise<void> {
  const cluster = join(dataFolder, 'postgres')
  if (await isThere(cluster, binaries)) return
  const temporary = await mkdtemp(join(dataFolder, TEMPORARY_PREFIX))
  try {
    if (user.uid !== undefined) await chown(temporary, user.uid, user.gid)
    await run(
      binaries.initdb,
      [
        `--pgdata=${serverPath(temporary)}`,
        `--username=${EMBEDDED_ROLE}`,
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        // The server listens only on a socket in a folder that no other user can enter.
        '--auth=trust',
      ],
      { ...user, cwd: temporary, env: { LC_ALL: 'C', TZ: 'UTC' } },
    )
    await rename(temporary, cluster)
  } catch (error) {
    await removeHalfMade(temporary)
    // Another service was faster, and its cluster is used.
    if (await isThere(cluster, binaries)) return
    throw error
  }
}

/**
 * Removes an unfinished cluster. A concurrent start may still run initdb in it, so the removal is retried until that
 * has ended.
 */
const removeHalfMade = (folder: string) =>
  rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })

/**
 * Removes database files that a killed service had not finished creating. Only the owner of the folder may call it.
 */
export async function removeHalfMadeClusters(dataFolder: string): Promise<void> {
  for (const name of await readdir(dataFolder)) {
    if (name.startsWith(TEMPORARY_PREFIX)) {
      await removeHalfMade(join(dataFolder, name))
    }
  }
}

async function isThere(cluster: string, binaries: Binaries): Promise<boolean> {
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch((error) => {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === 'EACCES') {
      throw new Error(
        `The data in ${cluster} belongs to another user: start the service as the user who started ` +
          `it before, or give the folder to this one (as root: chown -R "$USER" ${JSON.stringify(dirname(cluster))})`,
        { cause: error },
      )
    }
    throw error
  })
  if (version === undefined) return false
  if (version.trim() !== String(binaries.major)) {
    throw new Error(
      `The data in ${cluster} is of PostgreSQL ${version.trim()}, but this version of Wasla brings ` +
        `PostgreSQL ${binaries.major}. Nothing was changed. Start the version of Wasla that wrote it, ` +
        'make a dump with pg_dump and restore it into an empty data folder; or run a PostgreSQL ' +
        `${version.trim()} of your own on it and set DATABASE_URL`,
    )
  }
  return true
}
