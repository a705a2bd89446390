/** What the service keeps for the streams of live changes. */
import { read, remove, type Recorded } from './records.ts'

/** Forgets who watches and what changed, as where nobody has watched for a while. */
export async function forgetWatchers(world: Recorded): Promise<void> {
  await remove(world, 'liveWatch', 'all')
  await remove(world, 'liveChange', 'all')
}

/** Returns how many changes are kept to be told. */
export const countChanges = async (world: Recorded): Promise<number> =>
  (await read(world, 'liveChange', 'all')).length
