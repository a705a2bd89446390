import { readFileSync } from 'node:fs'

/**
 * Returns a function that returns the milliseconds since now. It leaves out the time in which this process was
 * ready to run but other processes had the processor. A limit in real time then says the same about the code on
 * a busy machine. Only Linux reports that time; other systems return the time on the clock.
 */
export function startStopwatch(): () => number {
  const [began, starvedBefore] = [performance.now(), starvedMs()]
  return () => performance.now() - began - (starvedMs() - starvedBefore)
}

/** Returns how long the main thread was ready to run without getting a processor. */
function starvedMs(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1_000_000 || 0
  } catch {
    return 0
  }
}

/**
 * Returns a function that returns the processor time in milliseconds that all threads of this process have used
 * since now. It includes neither the work of other processes nor time spent waiting. For a single thread Linux
 * counts only in ticks, for the process in microseconds.
 */
export function startCpuWatch(): () => number {
  const began = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1_000
  }
}
