import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Whoever waits for another build looks this often, and gives up after this long. */
const LOOK_EVERY_MS = 200
const WAIT_MS = 10 * 60_000

/**
 * Waits until nobody else builds, and takes the turn until this process ends. Who was cut off is not
 * waited for. @throws when the folder cannot be written to, or the other build does not end
 */
export async function takeTurn(file: string): Promise<void> {
  mkdirSync(path.dirname(file), { recursive: true })
  for (let waitedMs = 0; !isTaken(file); waitedMs += LOOK_EVERY_MS) {
    if (waitedMs === 0) console.log('Another build of the dashboard runs; waiting for it…')
    if (waitedMs >= WAIT_MS) throw new Error('Another build has run for 10 minutes. End it.')
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  process.once('exit', () => rmSync(file, { force: true }))
}

/** Takes the turn by making the file. One of a process that has ended is removed first. */
function isTaken(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    if (pid > 0 && !isAlive(pid)) rmSync(file, { force: true })
  } catch {
    // There is none.
  }
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
