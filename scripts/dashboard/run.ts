import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** What this process has started and still runs, so that it ends with this one. */
const running = new Set<ReturnType<typeof spawn>>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of running) child.kill(signal)
    process.exit(1)
  })
}

/** Runs a program with its output shown as ours; whether it ended well. */
export async function run(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<boolean> {
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
