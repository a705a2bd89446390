/**
 * The embedded PostgreSQL for services without a `DATABASE_URL`. Its data is in `<dataFolder>/postgres`. It is
 * reachable only through a Unix socket in a private folder. It runs as a separate process: when the service is killed
 * it continues, and the next service on the folder takes it over. One service at a time uses a data folder, also when
 * several containers or machines share it (`folder-owner.ts`).
 */
import { chown, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findBinaries } from './binaries.ts'
import { createCluster, removeHalfMadeClusters } from './create-cluster.ts'
import { createFolderOwner, type FolderOwner } from './folder-owner.ts'
import { takeOwnerLock } from './owner-lock.ts'
import type { OwnerLock } from './owner-lock.ts'
import { startPostmaster } from './postmaster.ts'
import {
  endLostPostmaster,
  findOtherPostmaster,
  takeOverPostmaster,
  isPrivateFolder,
  SERVER_PORT,
  EMBEDDED_ROLE,
  serverClient,
  SOCKET_FOLDER_PREFIX,
  stopPostmaster,
} from './running-postmaster.ts'
import type { Postmaster } from './running-postmaster.ts'
import { chooseServerUser, giveToServer } from './server-user.ts'
import type { ServerUser } from './server-user.ts'

/** A running embedded server. */
export type EmbeddedPostgres = {
  /** `host` is the socket's folder. */
  connection: { host: string; port: number; user: string; database: string }
  pid: number
  /** Stops the server, also one that was taken over; everything committed is on disk. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  dataFolder: string
  /** Folder for a copy of the programs, if they cannot run where npm installed them. */
  cacheFolder?: string
  /** Settings of the server that override the defaults. */
  settings?: Record<string, string>
  log?: (message: string) => void
}

/** The name of the database in the embedded server. */
export const EMBEDDED_DATABASE = 'wasla'
const START_ATTEMPTS = 5
const BUSY_PAUSE_MS = 200
const RESTART_PAUSE_MS = { first: 100, longest: 5_000 }

/**
 * Starts the server of the data folder, or takes over a running one, and restarts it whenever it ends.
 * @throws when another service uses the folder, when its data is of another major version, or when this machine
 * cannot run the server; the error says what to do
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { log = () => {} } = options
  await mkdir(options.dataFolder, { recursive: true, mode: 0o700 })
  const dataFolder = await realpath(options.dataFolder)
  const owner = createFolderOwner(dataFolder, log)
  await owner.claim()
  try {
    return await startInOwnFolder({ ...options, dataFolder }, owner)
  } catch (error) {
    await owner.release()
    throw error
  }
}

async function startInOwnFolder(
  { dataFolder, cacheFolder, log = () => {}, settings = {} }: EmbeddedOptions,
  owner: FolderOwner,
): Promise<EmbeddedPostgres> {
  const cluster = join(dataFolder, 'postgres')
  const user = await chooseServerUser([cluster, dataFolder, dirname(dataFolder)])
  await giveToServer(cluster, user)
  const binaries = await findBinaries(user, cacheFolder)
  await createCluster(dataFolder, binaries, user)

  let postmaster = await ensureRunning()
  /** The folder in which the pools look for the server's socket, for the life of the service. */
  const home = postmaster.socketFolder
  let lock = await takeLock(postmaster.socketFolder, dataFolder, owner)
  owner.onLost(() => void endLostPostmaster(cluster, postmaster))
  const stopping = new AbortController()
  let recovery: Promise<void> | undefined
  let stopped: Promise<void> | undefined
  watch(lock)
  try {
    await createDatabase(postmaster.socketFolder)
    await removeHalfMadeClusters(dataFolder)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    connection: {
      host: home,
      port: SERVER_PORT,
      user: EMBEDDED_ROLE,
      database: EMBEDDED_DATABASE,
    },
    get pid() {
      return postmaster.pid
    },
    stop: () => (stopped ??= stop()),
  }

  /** Returns the running server, or starts one with its socket in the given folder, where the pools look for it. */
  async function ensureRunning(earlier?: string): Promise<Postmaster> {
    for (let attempt = 1; ; attempt++) {
      await refuseHidden(cluster, user, dataFolder)
      const running = await takeOverPostmaster(cluster, user)
      if (running) return running
      const socketFolder = await makeSocketFolder(user, earlier)
      try {
        return await startPostmaster({ dataFolder, socketFolder, binaries, user, settings })
      } catch (error) {
        await rm(socketFolder, { recursive: true, force: true })
        // Another process is starting the server, or parts of a killed one are still ending.
        const isBusy = /postmaster\.pid|shared memory block/.test((error as Error).message)
        if (!isBusy || attempt === START_ATTEMPTS) throw error
        await pause(BUSY_PAUSE_MS * attempt)
      }
    }
  }

  function watch(held: OwnerLock): void {
    held.onLost(() => {
      if (!stopping.signal.aborted) recovery = recover()
    })
  }

  async function recover(): Promise<void> {
    let pauseMs = RESTART_PAUSE_MS.first
    while (!stopping.signal.aborted) {
      try {
        await owner.claim()
        const found = await ensureRunning(home)
        const taken = await takeLock(found.socketFolder, dataFolder, owner)
        if (found.socketFolder !== home) {
          // Another process has started the server meanwhile, and has ended.
          await stopPostmaster(cluster, found)
          await taken.release()
          continue
        }
        postmaster = found
        lock = taken
        watch(lock)
        log('The embedded PostgreSQL had ended its connections; it is back')
        return
      } catch (error) {
        log(`The embedded PostgreSQL is unavailable: ${(error as Error).message}`)
      }
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      pauseMs = Math.min(pauseMs * 2, RESTART_PAUSE_MS.longest)
    }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await recovery
    await stopPostmaster(cluster, postmaster)
    await lock.release()
    await owner.release()
  }
}

async function takeLock(
  socketFolder: string,
  dataFolder: string,
  owner: FolderOwner,
): Promise<OwnerLock> {
  const lock = await takeOwnerLock(socketFolder, dataFolder)
  await owner.confirm()
  return lock
}

/**
 * Refuses a start while a service runs whose socket is hidden in a private `/tmp` (systemd's PrivateTmp). Its server
 * would look like one without a socket, and would be replaced.
 */
async function refuseHidden(cluster: string, user: ServerUser, dataFolder: string): Promise<void> {
  const found = await findOtherPostmaster(cluster, user).catch(() => undefined)
  if (!found?.isHidden) return
  const free = await takeOwnerLock(found.socketFolder, dataFolder)
  await free.release()
}

/** Creates the socket's folder, with a short path: the name of a socket has at most 107 bytes. */
async function makeSocketFolder(user: ServerUser, earlier: string | undefined): Promise<string> {
  if (earlier !== undefined) {
    await mkdir(earlier, { recursive: true, mode: 0o700 })
    if (user.uid !== undefined) await chown(earlier, user.uid, user.gid)
    if (await isPrivateFolder(earlier, user)) return earlier
    throw new Error(`${earlier} belongs to another user`)
  }
  const name = SOCKET_FOLDER_PREFIX
  const folder = await mkdtemp(join('/tmp', name)).catch(() => mkdtemp(join(tmpdir(), name)))
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid)
  return folder
}

async function createDatabase(socketFolder: string): Promise<void> {
  const client = serverClient(socketFolder, 'postgres', 'wasla start')
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [
      EMBEDDED_DATABASE,
    ])
    if (!rowCount) await client.query(`create database ${EMBEDDED_DATABASE}`)
  } finally {
    await client.end()
  }
}
