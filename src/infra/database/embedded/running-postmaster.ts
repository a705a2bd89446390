import { execFile } from 'node:child_process'
import { lstat, open, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { IGNORE_LIBPQ_ENV } from '../ignore-libpq-env.ts'
import type { ServerUser } from './server-user.ts'

/** A running PostgreSQL and the folder of its socket. */
export type Postmaster = { pid: number; socketFolder: string }

/** The superuser as which all clients connect to the server; the user of its process is a `ServerUser`. */
export const EMBEDDED_ROLE = 'wasla'
/** The port in the name of the server's socket; the server does not listen on TCP. */
export const SERVER_PORT = 5432
/** The prefix of the name of a socket's folder; no other folder is removed with its server. */
export const SOCKET_FOLDER_PREFIX = 'wasla-'

const POLL_MS = 10
const ANSWER_MS = 2_000
/** Longest wait for a server that was already running: its socket is open, unless the server is broken. */
const ADOPT_SILENCE_MS = 3_000
/** Longest wait for a server that another process is starting on a busy machine. */
const STARTING_SILENCE_MS = 60_000
/** Longest recovery after a crash, during which the server reports that it is starting. */
const RECOVERY_MS = 10 * 60_000
const FAST_STOP_MS = 30_000
const IMMEDIATE_STOP_MS = 10_000
const CANNOT_CONNECT_NOW = '57P03'

const run = promisify(execFile)

/**
 * Returns the server that already runs on the cluster, or stops it and returns undefined when it does not answer. A
 * killed service leaves its server running. A stale `postmaster.pid`, whose number another process may have now, is
 * marked as such for the next server.
 * @throws when a server in another container uses the cluster
 */
export async function takeOverPostmaster(
  cluster: string,
  user: ServerUser,
): Promise<Postmaster | undefined> {
  const file = await readWrittenFile(cluster)
  if (!file) return undefined
  const whose = file.pid > 0 && isAlive(file.pid) ? await whoseServer(cluster, file.pid) : 'none'
  if (whose !== 'ours') {
    if (await answersElsewhere(cluster)) {
      throw usedElsewhere(dirname(cluster), 'in another container')
    }
    await markStale(cluster, file.pid)
    // Its number may belong to another process now, which the next server would take for a running one.
    await rm(join(cluster, `.s.PGSQL.${SERVER_PORT}.lock`), { force: true })
    // In a copy of a folder in use the file names the server of the original, which needs its socket.
    if (whose === 'none' && (await isPrivateFolder(file.socketFolder, user))) {
      await removeSocketFolder(file.socketFolder)
    }
    return undefined
  }
  const postmaster = { pid: file.pid, socketFolder: file.socketFolder }
  const isPrivate = await isPrivateFolder(file.socketFolder, user)
  const isThere = async () => (await readPostmasterFile(cluster))?.pid === file.pid
  const silenceMs = file.isStarting ? STARTING_SILENCE_MS : ADOPT_SILENCE_MS
  if (isPrivate && (await waitUntilItAnswers(file.socketFolder, silenceMs, isThere))) {
    return postmaster
  }
  await stopPostmaster(cluster, postmaster)
  return undefined
}

/**
 * Returns the server that another process has started on the cluster, without ever stopping it; undefined when none
 * runs. A socket in a `/tmp` that only the service sees (systemd's PrivateTmp) counts as hidden; Linux reaches
 * it through the server's process.
 * @throws when a server runs and does not answer
 */
export async function findOtherPostmaster(
  cluster: string,
  user: ServerUser,
): Promise<(Postmaster & { isHidden: boolean }) | undefined> {
  const file = await readWrittenFile(cluster)
  if (!file || file.pid === 0 || !isAlive(file.pid)) return undefined
  const { pid } = file
  if ((await whoseServer(cluster, pid)) !== 'ours') return undefined
  const isThere = async () => (await readPostmasterFile(cluster))?.pid === pid
  const silenceMs = file.isStarting ? STARTING_SILENCE_MS : ADOPT_SILENCE_MS
  const isHidden = !(await isPrivateFolder(file.socketFolder, user))
  const socketFolder = isHidden ? `/proc/${pid}/root${file.socketFolder}` : file.socketFolder
  const isPrivate = !isHidden || (await isPrivateFolder(socketFolder, user))
  if (isPrivate && (await waitUntilItAnswers(socketFolder, silenceMs, isThere))) {
    return { pid, socketFolder, isHidden }
  }
  if (!(await isThere())) return undefined
  throw new Error(
    `The embedded PostgreSQL (pid ${pid}) of ${cluster} runs, but does not answer. It was left as it is: ` +
      'try again, as the user of the service; where no service runs, the next start repairs it',
  )
}

/**
 * Stops the server. Open transactions are rolled back, and everything committed is written. Resolves when it has ended.
 * @throws when it does not end
 */
export async function stopPostmaster(cluster: string, postmaster: Postmaster): Promise<void> {
  const hasEnded = async () => {
    if (!isAlive(postmaster.pid)) return true
    // An ended process whose parent has not collected it keeps its number.
    return (await readPostmasterFile(cluster))?.pid !== postmaster.pid
  }
  for (const [signal, waitMs] of [
    ['SIGINT', FAST_STOP_MS],
    ['SIGQUIT', IMMEDIATE_STOP_MS],
  ] as const) {
    if (await hasEnded()) break
    signalProcess(postmaster.pid, signal)
    const until = performance.now() + waitMs
    while (performance.now() < until && !(await hasEnded())) await pause(POLL_MS)
  }
  if (!(await hasEnded())) {
    throw new Error(`PostgreSQL (pid ${postmaster.pid}) on ${cluster} does not stop`)
  }
  await removeSocketFolder(postmaster.socketFolder)
}

/** Ends the server immediately, without a clean shutdown, after another container or machine has claimed its folder. */
export async function endLostPostmaster(cluster: string, { pid }: Postmaster): Promise<void> {
  if ((await whoseServer(cluster, pid)) === 'ours') signalProcess(pid, 'SIGQUIT')
}

/**
 * Returns whether a server listens on the socket inside the data folder, which no namespace hides. The number in
 * `postmaster.pid` may belong to another container, even a frozen one.
 */
async function answersElsewhere(cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const folder = await open(cluster)
  try {
    // The name of a socket ends at 107 bytes.
    const socket = createConnection(`/proc/self/fd/${folder.fd}/.s.PGSQL.${SERVER_PORT}`)
    return await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    }).finally(() => socket.destroy())
  } finally {
    await folder.close()
  }
}

/** Returns the error for a data folder that another service or server uses. @param by where or who, as in `in …` */
export function usedElsewhere(dataFolder: string, by: string): Error {
  return new Error(
    `Another Wasla or its PostgreSQL is using ${dataFolder} ${by}. Two servers on one folder would lose data: ` +
      'stop the other one first, or give this one a data folder of its own with DATA_FOLDER. ' +
      'A command of the operator is run where the service runs, as with `docker compose exec`',
  )
}

async function removeSocketFolder(folder: string): Promise<void> {
  if (!basename(folder).startsWith(SOCKET_FOLDER_PREFIX)) return
  await rm(folder, { recursive: true, force: true })
}

/**
 * Polls the server until it answers (true), or until it has ended or was silent for `silenceMs` (false). A server
 * that reports that it is starting is not silent.
 */
export async function waitUntilItAnswers(
  socketFolder: string,
  silenceMs: number,
  isRunning: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const begin = performance.now()
  let respondedAt = begin
  while (await isRunning()) {
    const client = serverClient(socketFolder, 'postgres', 'wasla start')
    try {
      await client.connect()
      return true
    } catch (error) {
      const now = performance.now()
      if ((error as { code?: unknown }).code === CANNOT_CONNECT_NOW) respondedAt = now
      if (now - respondedAt > silenceMs || now - begin > RECOVERY_MS) return false
    } finally {
      await client.end()
    }
    await pause(POLL_MS)
  }
  return false
}

/** Creates a client for a single connection to the embedded server; the caller connects and ends it. */
export function serverClient(
  socketFolder: string,
  database: string,
  applicationName: string,
): pg.Client {
  const client = new pg.Client({
    ...IGNORE_LIBPQ_ENV,
    host: socketFolder,
    port: SERVER_PORT,
    user: EMBEDDED_ROLE,
    database,
    application_name: applicationName,
    connectionTimeoutMillis: ANSWER_MS,
  })
  client.on('error', () => {})
  return client
}

/** Returns whether the path is a folder, not a link, that only the server's user can enter. */
export async function isPrivateFolder(folder: string, user: ServerUser): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  const uid = user.uid ?? process.getuid?.()
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0
}

/** Returns whether a process with this number exists, also one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * Reads `postmaster.pid`, and waits until a starting server has written the folder of its socket. It writes its
 * number first.
 */
async function readWrittenFile(cluster: string): ReturnType<typeof readPostmasterFile> {
  const begin = performance.now()
  for (;;) {
    const file = await readPostmasterFile(cluster)
    if (file?.socketFolder !== '') return file
    // No process can be checked for a file without a number.
    const isOver = file.pid > 0 ? !isAlive(file.pid) : performance.now() - begin > ADOPT_SILENCE_MS
    if (isOver || performance.now() - begin > STARTING_SILENCE_MS) return file
    await pause(POLL_MS)
  }
}

async function readPostmasterFile(
  cluster: string,
): Promise<{ pid: number; socketFolder: string; isStarting: boolean } | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch((error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const lines = text.split('\n')
  return {
    pid: Number.parseInt(lines[0] ?? '', 10) || 0,
    socketFolder: lines[4] ?? '',
    // The state is written last, after the shared memory is known.
    isStarting: ['', 'starting'].includes((lines[7] ?? '').trim()),
  }
}

/** Returns whose PostgreSQL server the process is: that of this cluster's folder, another one, or none at all. */
async function whoseServer(
  cluster: string,
  pid: number,
): Promise<'ours' | "another cluster's" | 'none'> {
  if (process.platform === 'linux') {
    // Another user's process cannot be inspected, and cannot be this cluster's server.
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '')
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (basename(command.split('\0')[0] ?? '') !== 'postgres') return 'none'
    return folder === cluster ? 'ours' : "another cluster's"
  }
  const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }))
  if (!stdout.includes('postgres')) return 'none'
  return stdout.includes(cluster) ? 'ours' : "another cluster's"
}

/**
 * Writes this process's number, the parent of the next server, into the first line. A server that finds its parent
 * there knows that the file is stale, and still checks the rest of it for processes of the old server. Deleting the
 * file would skip that.
 */
async function markStale(cluster: string, pid: number): Promise<void> {
  const path = join(cluster, 'postmaster.pid')
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined || (Number.parseInt(text, 10) || 0) !== pid) return
  await writeFile(path, [process.pid, ...text.split('\n').slice(1)].join('\n'))
}
