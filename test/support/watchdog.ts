/**
 * Ends a worker that hangs, from outside of it. A test that spins, in a loop or in promises that settle
 * immediately, keeps its own time-out from firing, and nothing inside of that process can end it. So each
 * worker reports regularly which file it runs (see `beat.ts`). The main process, which runs no tests, ends a
 * worker that falls silent or stays at a file for too long. The run then fails, and the file is named.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

declare module 'vitest' {
  export interface ProvidedContext {
    beats: string
  }
}

export const BEAT_MS = 500
const LOOK_EVERY_MS = 1_000

export type WatchdogLimits = {
  /** A worker whose event loop makes no turn for longer than this hangs. */
  silentMs: number
  /** The longest time that one file may take. */
  fileMs: number
}

type Seen = { file: string; beat: number; silentLooks: number; looks: number }

/**
 * Watches until it is stopped. Time is counted in looks and not by the clock: a machine that slept
 * for an hour finds every worker as it left it.
 */
export function startWatchdog(
  { silentMs, fileMs }: WatchdogLimits,
  say: (line: string) => void = console.error,
): { beats: string; stop(): void } {
  const beats = mkdtempSync(path.join(tmpdir(), 'wasla-beats-'))
  const workers = new Map<number, Seen>()

  function look(pid: number): void {
    const place = path.join(beats, String(pid))
    if (!isAlive(pid)) {
      rmSync(place, { force: true })
      workers.delete(pid)
      return
    }
    const [file, beat] = [readFileSync(place, 'utf8'), statSync(place).mtimeMs]
    const before = workers.get(pid)
    const seen: Seen = {
      file,
      beat,
      silentLooks: before?.beat === beat ? before.silentLooks + 1 : 0,
      looks: before?.file === file ? before.looks + 1 : 0,
    }
    workers.set(pid, seen)
    const fault =
      seen.silentLooks * LOOK_EVERY_MS > silentMs
        ? `has not answered for ${silentMs / 1_000} s`
        : seen.looks * LOOK_EVERY_MS > fileMs
          ? `is not done after ${fileMs / 1_000} s`
          : null
    if (fault === null) return
    say(`\nHANGS ${file}: it ${fault}, so its worker was ended.\n`)
    process.kill(pid, 'SIGKILL')
  }

  const timer = setInterval(() => {
    for (const name of readdirSync(beats)) look(Number(name))
  }, LOOK_EVERY_MS).unref()
  return {
    beats,
    stop() {
      clearInterval(timer)
      rmSync(beats, { recursive: true, force: true })
    },
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
