/** Starts, kills and starts again a service in a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'

const NODE_COMPILE_CACHE = path.join(import.meta.dirname, '../../node_modules/.cache/node')

export type KillableService = {
  /** Starts it; resolves when it serves. */
  start(change?: Record<string, string>): Promise<void>
  /** SIGKILL: nothing of it runs on. */
  kill(): Promise<void>
  /** SIGTERM: it stops gracefully. Resolves to the exit code. */
  stop(): Promise<number | null>
  /** What it logged, over all its lives. */
  logged(): string
}

/** @param program the whole service, or the delivery engine alone. */
export function createKillableService(
  env: Record<string, string>,
  program: 'killable-process.ts' | 'delivery-process.ts' = 'killable-process.ts',
): KillableService {
  const file = path.join(import.meta.dirname, program)
  let child: ChildProcess | null = null
  let logged = ''

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const ending = child
    child = null
    if (!ending || ending.exitCode !== null) return ending?.exitCode ?? null
    const exited = new Promise<number | null>((resolve) => ending.once('exit', resolve))
    ending.kill(signal)
    return exited
  }

  return {
    async start(change = {}) {
      const started = spawn(process.execPath, [file], {
        // As `npm start` does: what was compiled once is not compiled at every start.
        env: { PATH: process.env.PATH, NODE_COMPILE_CACHE, ...env, ...change },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = started
      const collect = (line: string) => {
        logged += `${line}\n`
      }
      createInterface({ input: started.stderr }).on('line', collect)
      await new Promise<void>((resolve, reject) => {
        createInterface({ input: started.stdout }).on('line', (line) => {
          collect(line)
          if (line.startsWith('ready ')) resolve()
        })
        started.once('exit', (code) => reject(new Error(`it ended with ${code}:\n${logged}`)))
      })
    },
    async kill() {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
    logged: () => logged,
  }
}
