import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Interval of checking for the other process, and the longest wait. */
const POLL_MS = 200
const WAIT_MS = 10 * 60_000

/**
 * Waits for other processes with the same work, and holds the lock until this process ends. Dead processes are
 * ignored. Plain JavaScript for any Node from 18.
 *
 * @param {string} file the path to which each process appends its process id to name its file
 * @param {string} work the work, for the line "Another … runs"
 * @throws when the folder cannot be written to, or the other process does not end
 */
export function acquireProcessLock(file, work) {
  const folder = path.dirname(file)
  const prefix = `${path.basename(file)}-`
  const mine = path.join(folder, `${prefix}${process.pid}`)
  mkdirSync(folder, { recursive: true })
  process.once('exit', () => rmSync(mine, { force: true }))
  for (let waitedMs = 0; !tryAcquire(folder, prefix, mine); waitedMs += POLL_MS) {
    if (waitedMs === 0) console.log(`Another ${work} runs; waiting for it…`)
    if (waitedMs >= WAIT_MS) {
      throw new Error(
        `Another ${work} has run for ${WAIT_MS / 60_000} minutes. End it, or remove ${path.join(folder, `${prefix}*`)} if there is none.`,
      )
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)
  }
}

/**
 * Tries to acquire the lock, and returns whether this process has it. Each process writes its file before it reads the
 * others, so that two never both succeed. The process with the lowest id keeps its file; the others remove theirs.
 */
function tryAcquire(folder, prefix, mine) {
  writeFileSync(mine, '')
  const others = readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
    .filter((pid) => pid !== process.pid && isLive(folder, prefix, pid))
  if (others.some((pid) => pid < process.pid)) rmSync(mine)
  return others.length === 0
}

/** Returns whether a process lives, and removes the file of a dead one. */
function isLive(folder, prefix, pid) {
  const isOn = isAlive(pid)
  if (!isOn) rmSync(path.join(folder, `${prefix}${pid}`), { force: true })
  return isOn
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
