import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Child processes that still run, which end with this process. */
const running = new Set<ReturnType<typeof spawn>>()
let isListening = false

/**
 * Ends the children on a signal. It is registered only with the first child: while this process waits synchronously
 * for its lock, a handler could not run.
 */
function endWithSignals(): void {
  if (isListening) return
  isListening = true
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      for (const child of running) child.kill(signal)
      process.exit(1)
    })
  }
}

/** Runs a program whose output is passed through. Returns whether it succeeded. */
export async function run(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<boolean> {
  endWithSignals()
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] })
  running.add(child)
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    return code === 0
  } catch {
    return false
  } finally {
    running.delete(child)
  }
}
