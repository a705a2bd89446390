import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { isAlive, SERVER_PORT, waitUntilItAnswers } from './running-postmaster.ts'
import type { Postmaster } from './running-postmaster.ts'
import type { ServerUser } from './server-user.ts'

const START_TIMEOUT_MS = 60_000
/** Size above which the server's log is emptied at a start. */
const MAX_LOG_BYTES = 1_048_576

/** Settings for a small machine; none of them weakens the durability of a commit. */
const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  port: String(SERVER_PORT),
  unix_socket_permissions: '0700',
  cluster_name: 'wasla',
  max_connections: '60',
  shared_buffers: '96MB',
  fsync: 'on',
  synchronous_commit: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '64MB',
  max_wal_size: '512MB',
  // Small containers have too little shared memory for parallel queries, and queries here read few rows.
  max_parallel_workers_per_gather: '0',
  // The log never contains a statement's values, which are customers' data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/**
 * Returns the path by which the server names its working directory. On Linux it leads through the process, which
 * needs no right to enter the parent folders: root may keep its data where the server's user cannot enter. Long paths
 * work as well.
 */
export function serverPath(folder: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : folder
}

/** Starts the server on the cluster, in its own process group, and waits until it answers. */
export async function startPostmaster(options: {
  dataFolder: string
  socketFolder: string
  binaries: Binaries
  user: ServerUser
  settings: Record<string, string>
}): Promise<Postmaster> {
  const { dataFolder, socketFolder, binaries, user } = options
  const cluster = join(dataFolder, 'postgres')
  const logPath = join(dataFolder, 'postgres.log')
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants
  const log = await open(logPath, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
  if ((await log.stat()).size > MAX_LOG_BYTES) await log.truncate()
  const logStart = (await log.stat()).size
  // Processes in other containers reach the server only through the second socket, inside the data folder.
  const unix_socket_directories =
    process.platform === 'linux' ? `${socketFolder}, ${serverPath(cluster)}` : socketFolder
  const settings = { ...SETTINGS, ...options.settings, unix_socket_directories }
  const child = spawn(
    binaries.postgres,
    [
      '-D',
      serverPath(cluster),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      ...user,
      cwd: cluster,
      env: { LC_ALL: 'C', TZ: 'UTC' },
      // Ctrl-C on the terminal must not reach it before the service has drained.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    },
  )
  let ended: string | undefined
  child.once('error', (error) => (ended = error.message))
  child.once('exit', (code, signal) => (ended ??= `it ended with ${signal ?? `code ${code}`}`))
  child.unref()
  await log.close()
  const { pid } = child
  const isUp =
    pid !== undefined &&
    (await waitUntilItAnswers(socketFolder, START_TIMEOUT_MS, () => ended === undefined))
  if (isUp) return { pid, socketFolder }
  if (pid !== undefined && isAlive(pid)) child.kill('SIGQUIT')
  const text = (await readFile(logPath)).subarray(logStart).toString().trim()
  throw new Error(
    `The embedded PostgreSQL did not start: ${ended ?? `no answer within ${START_TIMEOUT_MS} ms`}. ` +
      `The end of ${logPath} says:\n${text.split('\n').slice(-10).join('\n')}`,
  )
}
