import os from 'node:os'

/** The priority (nice value) of a process that only runs workers. */
const WORKER_NICE = 5

/**
 * Lowers the priority of this process, which only runs workers, so that processes that serve requests on the same machine
 * come first. A lower priority is kept.
 */
export function lowerWorkerPriority(): void {
  os.setPriority(Math.max(WORKER_NICE, os.getPriority()))
}
