import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { Connection } from '../../src/infra/database/connect.ts'
import { NODE_COMPILE_CACHE } from './compile-cache.ts'
import { inTime } from './wait.ts'

export type ServiceProcess = {
  pid: number
  connection: Connection
  postgresPid: number
  /** Waits until the process has ended. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

/** A start with `initdb`, on a machine that others keep busy. */
const WITHIN_MS = 50_000
const PROJECT = join(import.meta.dirname, '../..')

/**
 * Starts another process that uses the data folder. Rejects with what it wrote to standard error when it
 * refuses to start. `project` is the clone that it is started from, by default this one; `within` is a program,
 * with its arguments, that runs it.
 */
export async function startServiceProcess(
  dataFolder: string,
  options: { project?: string; cacheFolder?: string; within?: string[] } = {},
): Promise<ServiceProcess> {
  const { project = PROJECT, cacheFolder, within = [] } = options
  const program = join(project, 'test/support/own-data-folder.ts')
  const [command, ...words] = [...within, process.execPath, program, dataFolder]
  const child = spawn(command, [...words, ...(cacheFolder === undefined ? [] : [cacheFolder])], {
    cwd: '/',
    env: { ...process.env, NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const complaint = text(child.stderr)
  const said = once(child.stdout, 'data').then(([data]) => String(data))
  const line = await inTime(
    'the process says where its database is, or ends',
    Promise.race([said, exited.then(() => undefined)]),
    WITHIN_MS,
  )
  if (line === undefined) throw new Error(await complaint)
  const { connection, pid } = JSON.parse(line) as { connection: Connection; pid: number }
  return {
    pid: child.pid!,
    connection,
    postgresPid: pid,
    async end(signal) {
      child.kill(signal)
      await inTime('the process ends', exited, WITHIN_MS)
    },
  }
}
