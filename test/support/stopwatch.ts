import { readFileSync } from 'node:fs'

/**
 * Reads milliseconds since now, without those for which the machine was busy with others while this
 * process could have run: a limit in real time then says the same of our code on a starved machine.
 * Only Linux tells; elsewhere it is the time on the clock.
 */
export function startStopwatch(): () => number {
  const [began, starvedBefore] = [performance.now(), starvedMs()]
  return () => performance.now() - began - (starvedMs() - starvedBefore)
}

/** For how long the main thread, being ready to run, was given no processor. */
function starvedMs(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1_000_000 || 0
  } catch {
    return 0
  }
}

/**
 * Reads milliseconds of the processor's time that this process took since now, by whichever of its threads: what a
 * machine does beside it is not in it, nor what is waited for. Of one thread Linux tells only by its ticks, of the process to the microsecond.
 */
export function startCpuWatch(): () => number {
  const began = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1_000
  }
}
