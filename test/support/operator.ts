/** Commands of the operator. */
import { spawn, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { Readable } from 'node:stream'
import { runCommand } from '../../scripts/operator/run-command.ts'
import { NODE_COMPILE_CACHE } from './compile-cache.ts'
import { inTime } from './wait.ts'
import { connectionUrl } from './world.ts'
import type { Connection } from '../../src/infra/database/connect.ts'

const PROJECT = path.join(import.meta.dirname, '../..')
const SCRIPT = path.join(PROJECT, 'scripts/operator.ts')
/** A command that hangs fails its test, not the whole run. */
const LONGEST_MS = 60_000

/** The encryption keys of the processes of these tests. */
export const OPERATOR_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`

export type Told = { code: number; stdout: string; stderr: string }

/** Returns the settings by which a command finds a database of a test. */
export function settingsFor(connection: Connection, dataFolder: string): Record<string, string> {
  return {
    DATABASE_URL: connectionUrl(connection),
    DATA_FOLDER: dataFolder,
    ENCRYPTION_KEYS: OPERATOR_KEYS,
  }
}

/** Starts a command in a separate process, as the operator does. */
export function startOperator(env: Record<string, string>, words: string[]): ChildProcess {
  return spawn(process.execPath, [SCRIPT, ...words], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE, DEMONSTRATION: 'off', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  })
}

/** Runs a command in this process: loading the program again takes longer than most commands. */
export async function runOperator(
  env: Record<string, string>,
  words: string[],
  input = '',
): Promise<Told> {
  const told = { stdout: '', stderr: '' }
  const outcome = await inTime(
    `the end of ${words.join(' ')}`,
    runCommand(words, {
      env: { DEMONSTRATION: 'off', ...env },
      projectFolder: PROJECT,
      folder: process.cwd(),
      input: Readable.from([input]),
      print: (line) => void (told.stdout += `${line}\n`),
      complain: (line) => void (told.stderr += `${line}\n`),
    }),
    LONGEST_MS,
  )
  return { code: outcome === 'done' ? 0 : 1, ...told }
}
