/** Runs a command of the operator in a process of its own, as the operator does. */
import { spawn, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { connectionUrl } from './world.ts'
import type { Connection } from '../../src/database/connect.ts'

const SCRIPT = path.join(import.meta.dirname, '../../scripts/operator.ts')
const NODE_COMPILE_CACHE = path.join(import.meta.dirname, '../../node_modules/.cache/node')
/** A command that hangs fails its test, not the whole run. */
const LONGEST_MS = 60_000

/** What the processes of these tests encrypt with. */
export const OPERATOR_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`

export type Told = { code: number | null; stdout: string; stderr: string }

/** The settings by which a command finds a database of a test. */
export function settingsFor(connection: Connection, dataFolder: string): Record<string, string> {
  return {
    DATABASE_URL: connectionUrl(connection),
    DATA_FOLDER: dataFolder,
    ENCRYPTION_KEYS: OPERATOR_KEYS,
  }
}

export function startOperator(env: Record<string, string>, words: string[]): ChildProcess {
  return spawn(process.execPath, [SCRIPT, ...words], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE, DEMONSTRATION: 'off', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  })
}

export async function runOperator(
  env: Record<string, string>,
  words: string[],
  input = '',
): Promise<Told> {
  const child = startOperator(env, words)
  child.stdin!.end(input)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!)])
  return { code: await ended, stdout, stderr }
}
