/** Channels with minimum gaps between their sends. Spec: Concepts › Channel capabilities. */
import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { capabilitiesOf, type Pacing } from '../../rules/messaging/channel-capabilities.ts'

/** Bounds of the gap between two sends and the hourly cap. */
export type Gaps = Extract<Pacing, { kind: 'gaps' }>

/** Returns the bounds of the gap between two sends on a channel type, with the hourly cap; null without any. */
export function gapsOf(channelType: string): Gaps | null {
  const { pacing } = capabilitiesOf(channelType)
  return pacing?.kind === 'gaps' ? pacing : null
}

/** Marks channels as throttled, so that `claimThrottledSends` claims their messages from the commit on. */
export async function recordThrottle(
  tx: Transaction<DB>,
  channelIds: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    insert into channel_throttle (channel_id, next_at)
    select distinct unnest(${channelIds}::uuid[]), ${now}::timestamptz
    on conflict do nothing`.execute(tx)
}
