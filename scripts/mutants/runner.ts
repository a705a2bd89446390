/** Runs tests in a copy of the project, by a child process that is replaced after a timeout. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Question } from './run-tests-process.ts'

/** Files of the tree that tests read. */
const COPIED =
  'src simulators demonstration bridges deploy test scripts migrations examples docs openapi bench .env.example ARCHITECTURE.md package.json tsconfig.json vitest.config.ts'

/** The extra time of the first run of a process, which creates the database that tests copy. */
const FIRST_RUN_MS = 60_000

/** A copy of the project with a process that runs tests in it. */
export type Runner = {
  /** The folder of the copy. */
  root: string
  /**
   * Returns `timed_out` when there is no answer within `ms`, or later for a new process. The next question then starts
   * another process.
   */
  run(question: Question, ms: number): Promise<Answer | 'timed_out'>
  /** Writes a file of the copy. */
  write(file: string, text: string): void
  close(): Promise<void>
}

/**
 * Creates a runner of test files in a copy of the project, for mutants. Its process starts with the first question, and
 * again after a timeout.
 */
export function createRunner(
  tree: string,
  root: string,
  env: NodeJS.ProcessEnv,
  setupFile?: string,
): Runner {
  rmSync(root, { recursive: true, force: true })
  mkdirSync(root, { recursive: true })
  for (const part of COPIED.split(' ')) {
    cpSync(path.join(tree, part), path.join(root, part), {
      recursive: true,
      filter: (file) => path.basename(file) !== 'node_modules',
    })
  }
  symlinkSync(path.join(tree, 'node_modules'), path.join(root, 'node_modules'))
  let child: ChildProcess | null = null

  async function start(): Promise<ChildProcess> {
    const program = path.join(import.meta.dirname, 'run-tests-process.ts')
    // A separate process group, so that workers in an endless loop end with it.
    const started = fork(program, setupFile === undefined ? [root] : [root, setupFile], {
      cwd: root,
      env,
      detached: true,
      stdio: 'ignore',
    })
    await Promise.race([once(started, 'message'), once(started, 'exit')])
    if (started.exitCode !== null) throw new Error(`Tests cannot be run in ${root}`)
    return started
  }

  async function end(): Promise<void> {
    const ended = child
    child = null
    if (ended?.pid === undefined || ended.exitCode !== null) return
    const exited = once(ended, 'exit')
    ended.kill('SIGTERM')
    await Promise.race([exited, pause(3_000)])
    try {
      process.kill(-ended.pid, 'SIGKILL')
    } catch {
      // All of the group have ended.
    }
  }

  return {
    root,
    async run(question, ms) {
      const limitMs = child === null ? ms + FIRST_RUN_MS : ms
      child ??= await start()
      const target = child
      const stop = new AbortController()
      const { signal } = stop
      try {
        target.send(question)
        const answer = await Promise.race([
          once(target, 'message', { signal }).then(([given]) => given as Answer),
          once(target, 'exit', { signal }).then(() => 'timed_out' as const),
          pause(limitMs, 'timed_out' as const, { signal }),
        ])
        if (answer === 'timed_out') await end()
        return answer
      } finally {
        stop.abort()
      }
    },
    write: (file, text) => writeFileSync(path.join(root, file), text),
    close: end,
  }
}
