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

export const SERVER_USER_NAME = 'wasla'
/** Only part of the socket's name. */
export const SERVER_PORT = 5432
export const SOCKET_FOLDER_PREFIX = 'wasla-'

const POLL_MS = 10
const ANSWER_MS = 2_000
/** A server that was running before has its socket open, or is beyond help. */
const ADOPT_SILENCE_MS = 3_000
/** One that somebody else is just starting, on a machine that may have much else to do. */
const STARTING_SILENCE_MS = 60_000
/** After a crash the server says that it is starting for as long as its recovery takes. */
const RECOVERY_MS = 10 * 60_000
const FAST_STOP_MS = 30_000
const IMMEDIATE_STOP_MS = 10_000
const CANNOT_CONNECT_NOW = '57P03'

const run = promisify(execFile)

/**
 * The server that already runs on the cluster, as after a kill of the service that started it. One
 * that does not answer is stopped. A `postmaster.pid` that a crash left behind, its number perhaps
 * given to another process since, is marked so that the next server takes it for what it is.
 */
export async function findRunningPostmaster(
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
    // Its number may be that of any process by now, for which the next server would take it.
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
 * The same for a command that runs beside the service, whose server is not the command's to stop: also
 * not where it does not answer, or its socket lies in a `/tmp` that the service has to itself (systemd's
 * PrivateTmp): it is hidden then, and Linux leads to it through its process. Undefined where none runs.
 * @throws when one runs and cannot be reached
 */
export async function findPostmasterBeside(
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
      'try again, as the user of the service; where no service runs, the next start mends it',
  )
}

/**
 * Stops the server: open transactions are rolled back, everything committed is written. Resolves
 * when it has ended; throws when it does not end.
 */
export async function stopPostmaster(cluster: string, postmaster: Postmaster): Promise<void> {
  const hasEnded = async () => {
    if (!isAlive(postmaster.pid)) return true
    // An ended process whose parent does not collect it keeps its number.
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

/** Ends the server at once when its data folder belongs to another container or machine by now. */
export async function endLostPostmaster(cluster: string, { pid }: Postmaster): Promise<void> {
  if ((await whoseServer(cluster, pid)) === 'ours') signalProcess(pid, 'SIGQUIT')
}

/**
 * Whether a server listens at the socket inside the data, which no namespace hides. Asked where the number in
 * `postmaster.pid` is of no server here: it may be one of another container, also one that is frozen.
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

/** What an operator is told where the folder is in use and this process cannot look. */
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
 * Asks until the server answers: true; or until it has ended, or said nothing for `silenceMs`:
 * false. A server that says it is starting has not answered yet but is not silent either.
 */
export async function waitUntilItAnswers(
  socketFolder: string,
  silenceMs: number,
  isRunning: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const begin = performance.now()
  let heardAt = begin
  while (await isRunning()) {
    const client = serverClient(socketFolder, 'postgres', 'wasla start')
    try {
      await client.connect()
      return true
    } catch (error) {
      const now = performance.now()
      if ((error as { code?: unknown }).code === CANNOT_CONNECT_NOW) heardAt = now
      if (now - heardAt > silenceMs || now - begin > RECOVERY_MS) return false
    } finally {
      await client.end()
    }
    await pause(POLL_MS)
  }
  return false
}

/** A single connection to the embedded server. */
export function serverClient(
  socketFolder: string,
  database: string,
  applicationName: string,
): pg.Client {
  const client = new pg.Client({
    ...IGNORE_LIBPQ_ENV,
    host: socketFolder,
    port: SERVER_PORT,
    user: SERVER_USER_NAME,
    database,
    application_name: applicationName,
    connectionTimeoutMillis: ANSWER_MS,
  })
  client.on('error', () => {})
  return client
}

/** A folder, not a link to one, that only the server's user can enter. */
export async function isPrivateFolder(folder: string, user: ServerUser): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  const uid = user.uid ?? process.getuid?.()
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0
}

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
 * A server that is just starting writes its number first and the folder of its socket when it has one:
 * it is waited for, not taken for one that does not answer.
 */
async function readWrittenFile(cluster: string): ReturnType<typeof readPostmasterFile> {
  const begin = performance.now()
  for (;;) {
    const file = await readPostmasterFile(cluster)
    if (file?.socketFolder !== '') return file
    // A file without a number is of nobody who could be seen to live.
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
    // Its state comes last; it has none before it knows the memory that it shares.
    isStarting: ['', 'starting'].includes((lines[7] ?? '').trim()),
  }
}

/** Whether the process is a PostgreSQL, and works in the cluster's folder. */
async function whoseServer(
  cluster: string,
  pid: number,
): Promise<'ours' | "another cluster's" | 'none'> {
  if (process.platform === 'linux') {
    // Another user's process cannot be looked into, and cannot be ours.
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
 * Writes the number of this process, the parent of the next server, into the first line. A server
 * that finds its parent there knows that the file is of no running server, and still looks at the
 * rest of it for processes of the old one that have not ended. Deleting the file would skip that.
 */
async function markStale(cluster: string, pid: number): Promise<void> {
  const path = join(cluster, 'postmaster.pid')
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined || (Number.parseInt(text, 10) || 0) !== pid) return
  await writeFile(path, [process.pid, ...text.split('\n').slice(1)].join('\n'))
}
