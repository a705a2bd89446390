import type { World } from './world.ts'

/**
 * Processes also rows for which no commit has notified a worker, such as those that a test wrote itself or
 * released from a worker. A millisecond passes, and all workers look for due rows.
 */
export async function processUnwoken({ clock, service }: Pick<World, 'clock' | 'service'>) {
  clock.advance(1)
  await service.processAll()
}
