/** The conformance runner as a process, as people start it. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { NODE_COMPILE_CACHE } from '../support/compile-cache.ts'

/** The time for all external cases, on a machine that is busy with other work. */
export const WITHIN_MS = 480_000

/** Runs the runner. Returns its exit code and the lines that it prints. */
export function run(...args: string[]): Promise<{ code: number; lines: string[] }> {
  return new Promise((resolve) => {
    const runner = join(import.meta.dirname, 'run.ts')
    const options = {
      timeout: WITHIN_MS,
      env: { ...process.env, NODE_COMPILE_CACHE, MADE_CLUSTER: inject('cluster') },
    }
    execFile(process.execPath, [runner, ...args], options, (error, stdout) => {
      // A process that was killed by the timeout has no exit code.
      resolve({ code: Number(error ? error.code : 0), lines: stdout.trim().split('\n') })
    })
  })
}

/** Runs it over files with these contents. Returns its exit code and the lines that it prints. */
export async function inFolder(files: Record<string, unknown>, ...args: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'wasla-conformance-'))
  try {
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(folder, name), JSON.stringify(content))
    }
    const { code, lines } = await run(folder, ...args)
    return [code, ...lines]
  } finally {
    await rm(folder, { recursive: true })
  }
}
