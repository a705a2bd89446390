/** Starts, kills and starts again a service in a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'

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

const PROGRAM = path.join(import.meta.dirname, 'killable-process.ts')

export function createKillableService(env: Record<string, string>): KillableService {
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
      const started = spawn(process.execPath, [PROGRAM], {
        env: { PATH: process.env.PATH, ...env, ...change },
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
