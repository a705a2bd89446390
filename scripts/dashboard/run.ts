import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** What this process has started and still runs, so that it ends with this one. */
const running = new Set<ReturnType<typeof spawn>>()
let isListening = false

/**
 * Before there is anything to end, a signal does what it does of itself: while this process stands still and waits for
 * its turn, no handler would be asked.
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

/** Runs a program with its output shown as ours; whether it ended well. */
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
