/**
 * Starts, kills and starts again a service in a separate process. While one process works, the next one has
 * loaded its program already, so that a restart after a kill is fast.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { NODE_COMPILE_CACHE } from './compile-cache.ts'
import { inTime } from './wait.ts'

/** The time-out of a start or a graceful stop on a busy machine. */
const WITHIN_MS = 60_000

/** @param program the whole service, or the delivery engine alone. */
export function createKillableService(
  env: Record<string, string>,
  program: 'killable-process.ts' | 'delivery-process.ts' = 'killable-process.ts',
) {
  const file = path.join(import.meta.dirname, program)
  let working: ChildProcess | null = null
  let standby: ChildProcess | null = null
  let wasKilled = false
  let logged = ''
  const collect = (line: string) => {
    logged += `${line}\n`
  }

  function load(): ChildProcess {
    const child = spawn(process.execPath, [file], {
      // Like `npm start`, the process reuses compiled code.
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    // The process may have been killed before it got the line that begins its work.
    child.stdin.on('error', () => {})
    createInterface({ input: child.stderr }).on('line', collect)
    return child
  }

  async function end(child: ChildProcess | null, signal: NodeJS.Signals): Promise<number | null> {
    if (!child || child.exitCode !== null) return child?.exitCode ?? null
    const exited = once(child, 'exit')
    child.kill(signal)
    const [code] = (await inTime(`${program} ends`, exited, WITHIN_MS)) as [number | null]
    return code
  }

  return {
    /** Starts it, and ends what still works of it; resolves when it serves. */
    async start(change: Record<string, string> = {}) {
      // A process that a failed start has left would hold its port.
      if (working?.signalCode === null) await end(working, 'SIGKILL')
      const child = standby ?? load()
      standby = null
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}:\n${logged}`)
      working = child
      const isReady = new Promise<void>((resolve, reject) => {
        createInterface({ input: child.stdout! }).on('line', (line) => {
          collect(line)
          if (line.startsWith('ready ')) resolve()
        })
        child.once('exit', (code) => reject(new Error(`it ended with ${code}:\n${logged}`)))
      })
      child.stdin!.write(`${JSON.stringify(change)}\n`)
      await inTime(`${program} is ready`, isReady, WITHIN_MS)
      // A process that was killed once will be killed again.
      if (wasKilled) standby = load()
    },
    /** SIGKILL: nothing of it keeps running. */
    async kill() {
      wasKilled = true
      standby ??= load()
      await end(working, 'SIGKILL')
      working = null
    },
    /**
     * SIGTERM: the service stops gracefully, and the process that was loaded ahead ends too. Resolves to the
     * exit code.
     */
    async stop() {
      await end(standby, 'SIGKILL')
      standby = null
      const code = await end(working, 'SIGTERM')
      working = null
      return code
    },
    /** SIGSTOP and SIGCONT: the process lives, and does nothing until it continues. */
    pause: () => void working!.kill('SIGSTOP'),
    goOn: () => void working!.kill('SIGCONT'),
    /** Returns what the service logged, over all its lives. */
    logged: () => logged,
  }
}

export type KillableService = ReturnType<typeof createKillableService>
