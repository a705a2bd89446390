import type { World } from './world.ts'

/**
 * Does also what no commit has woken a worker for, such as what a test has written by itself or has taken from a
 * worker: a millisecond passes, and all workers look for what is due.
 */
export async function processUnwoken({ clock, service }: Pick<World, 'clock' | 'service'>) {
  clock.advance(1)
  await service.processAll()
}
