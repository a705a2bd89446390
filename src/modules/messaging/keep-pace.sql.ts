/** The gaps that channels of some types keep between their sends. Spec: Concepts › Channel capabilities. */
import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { capabilitiesOf, type Pacing } from '../../rules/messaging/channel-capabilities.ts'

export type Gaps = Extract<Pacing, { kind: 'gaps' }>

/** The gaps that a type of channel keeps; null where it keeps none. */
export function gapsOf(channelType: string): Gaps | null {
  const { pacing } = capabilitiesOf(channelType)
  return pacing?.kind === 'gaps' ? pacing : null
}

/** From the commit on the messages of these channels are sent at their distance. */
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
