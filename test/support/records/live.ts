/** Records that the service keeps for the streams of live changes. */
import { read, remove, type Recorded } from './records.ts'

/** Deletes the watchers and the recorded changes, as when no dashboard has been open for a while. */
export async function forgetWatchers(world: Recorded): Promise<void> {
  await remove(world, 'liveWatch', 'all')
  await remove(world, 'liveChange', 'all')
}

/** Returns how many recorded changes wait for the streams. */
export const countChanges = async (world: Recorded): Promise<number> =>
  (await read(world, 'liveChange', 'all')).length
