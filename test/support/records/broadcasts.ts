/** Broadcasts and their recipients. */
import { newIdOf, storeOf, type Recorded, type RecordOf } from './records.ts'

export type BroadcastRecord = RecordOf<'broadcast'>

export const broadcastOf = (world: Recorded, id: string): Promise<BroadcastRecord> =>
  storeOf(world).selectFrom('broadcast').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Repeats a broadcast `count` times, the first of them in another state when one is given. */
export async function repeatBroadcast(
  world: Recorded,
  id: string,
  count: number,
  first: Partial<Pick<BroadcastRecord, 'state' | 'endedAt'>> = {},
): Promise<void> {
  const broadcast = await broadcastOf(world, id)
  const rows = Array.from({ length: count }, (_, nth) => ({
    ...broadcast,
    counts: '{}',
    id: newIdOf(world),
    ...(nth === 0 && first),
  }))
  await storeOf(world).insertInto('broadcast').values(rows).execute()
}

/** Skips the recipients of a broadcast up to a number: they have no phone number. */
export async function skipRecipients(
  world: Recorded,
  broadcastId: string,
  upTo: number,
): Promise<void> {
  await storeOf(world)
    .updateTable('broadcastRecipient')
    .set({ skipReason: 'no_number' })
    .where('broadcastId', '=', broadcastId)
    .where('number', '<=', upTo)
    .execute()
}

/** Moves what customers told a provider of marketing on one channel to another one. */
export async function moveMarketingStops(
  world: Recorded,
  { channelId }: { channelId: string },
  to: { channelId: string },
): Promise<void> {
  await storeOf(world)
    .updateTable('marketingStop')
    .set({ channelId: to.channelId })
    .where('channelId', '=', channelId)
    .execute()
}
