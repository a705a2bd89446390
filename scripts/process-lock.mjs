import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Whoever waits for another looks this often, and gives up after this long. */
const LOOK_EVERY_MS = 200
const WAIT_MS = 10 * 60_000

/**
 * Waits until nobody else does the same work, and takes the turn until this process ends. Who was cut off is not
 * waited for. Plain JavaScript for any Node from 18.
 *
 * @param {string} file beside it each who wants the turn puts one with their number
 * @param {string} work what is waited for, as the sentence "Another … runs" names it
 * @throws when the folder cannot be written to, or the other does not end
 */
export function acquireProcessLock(file, work) {
  const folder = path.dirname(file)
  const prefix = `${path.basename(file)}-`
  const mine = path.join(folder, `${prefix}${process.pid}`)
  mkdirSync(folder, { recursive: true })
  process.once('exit', () => rmSync(mine, { force: true }))
  for (let waitedMs = 0; !isTaken(folder, prefix, mine); waitedMs += LOOK_EVERY_MS) {
    if (waitedMs === 0) console.log(`Another ${work} runs; waiting for it…`)
    if (waitedMs >= WAIT_MS) {
      throw new Error(
        `Another ${work} has run for ${WAIT_MS / 60_000} minutes. End it, or remove ${path.join(folder, `${prefix}*`)} if there is none.`,
      )
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_EVERY_MS)
  }
}

/**
 * Who looks only after they have put down their own sees whoever came before: never do two find themselves alone.
 * Of several who meet, the lowest number stays in line, and the others step back.
 */
function isTaken(folder, prefix, mine) {
  writeFileSync(mine, '')
  const others = readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
    .filter((pid) => pid !== process.pid && isLive(folder, prefix, pid))
  if (others.some((pid) => pid < process.pid)) rmSync(mine)
  return others.length === 0
}

/** What was left by who was cut off is taken away. */
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
