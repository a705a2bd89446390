import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Whoever waits for another build looks this often, and gives up after this long. */
const LOOK_EVERY_MS = 200
const WAIT_MS = 10 * 60_000

/**
 * Waits until nobody else builds, and takes the turn until this process ends. Who was cut off is not
 * waited for. `file`: beside it each who wants the turn puts one with their number. @throws when the folder
 * cannot be written to, or the other build does not end
 */
export async function takeTurn(file: string): Promise<void> {
  mkdirSync(path.dirname(file), { recursive: true })
  process.once('exit', () => rmSync(`${file}-${process.pid}`, { force: true }))
  for (let waitedMs = 0; !isTaken(file); waitedMs += LOOK_EVERY_MS) {
    if (waitedMs === 0) console.log('Another build of the dashboard runs; waiting for it…')
    if (waitedMs >= WAIT_MS) throw new Error('Another build has run for 10 minutes. End it.')
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

/**
 * Who looks only after they have put down their own sees whoever came before: never do two find themselves alone.
 * Of several who meet, the lowest number stays in line, and the others step back.
 */
function isTaken(file: string): boolean {
  const mine = `${file}-${process.pid}`
  writeFileSync(mine, '')
  const others = readdirSync(path.dirname(file))
    .filter((name) => name.startsWith(`${path.basename(file)}-`))
    .map((name) => Number(name.slice(path.basename(file).length + 1)))
    .filter((pid) => pid !== process.pid && isLive(file, pid))
  if (others.some((pid) => pid < process.pid)) rmSync(mine)
  return others.length === 0
}

/** What was left by who was cut off is taken away. */
function isLive(file: string, pid: number): boolean {
  const isOn = isAlive(pid)
  if (!isOn) rmSync(`${file}-${pid}`, { force: true })
  return isOn
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
