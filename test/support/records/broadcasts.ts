/** Broadcasts and their recipients. */
import type { FieldsOf, Recorded } from './records.ts'
import { insert, newIdOf, readOne, storeOf, update } from './records.ts'

export const broadcastOf = (world: Recorded, id: string) => readOne(world, 'broadcast', { id })

/** Repeats a broadcast `count` times, the first of them in another state when one is given. */
export async function repeatBroadcast(
  world: Recorded,
  id: string,
  count: number,
  first: Pick<FieldsOf<'broadcast'>, 'state' | 'endedAt'> = {},
): Promise<void> {
  const broadcast = { ...(await broadcastOf(world, id)), counts: '{}' }
  const rows = Array.from({ length: count }, () => ({ ...broadcast, id: newIdOf(world) }))
  Object.assign(rows[0] ?? {}, first)
  await insert(world, 'broadcast', ...rows)
}

/** Skips the recipients of a broadcast up to a number: they have no phone number. */
export async function skipRecipients(world: Recorded, broadcastId: string, upTo: number) {
  await storeOf(world)
    .updateTable('broadcastRecipient')
    .set({ skipReason: 'no_number' })
    .where('broadcastId', '=', broadcastId)
    .where('number', '<=', upTo)
    .execute()
}

/** Moves the marketing opt-outs that a provider reported on one channel to another channel. */
export const moveMarketingStops = (
  world: Recorded,
  { channelId }: { channelId: string },
  to: { channelId: string },
) => update(world, 'marketingStop', { channelId }, { channelId: to.channelId })
