/**
 * Sends of channels with a minimum gap and an hourly cap, shared by all processes. One message of such a channel is
 * claimed at a time; the next may be claimed once the gap has passed and the hourly cap allows it. Spec: Concepts ›
 * Channel capabilities.
 */
import { sql, type Kysely } from 'kysely'
import type { Random } from '../../core/ids.ts'
import { leaseEnd } from '../../infra/database/queues/queue.ts'
import type { DB } from '../../infra/database/tables.ts'
import { SEND_LIMITS } from '../../core/limits/messaging.ts'
import { HOUR_MS, SECOND_MS } from '../../core/limits/units.ts'
import { CHANNEL_TYPES } from '../../core/vocabulary/channels.ts'
import type { ClaimedMessage } from './queue-message.ts'
import { type Gaps, gapsOf } from './channel-throttle.sql.ts'

/** The channel types with a minimum gap, and the hourly cap of each. */
const THROTTLED = CHANNEL_TYPES.flatMap((type) => {
  const gaps = gapsOf(type)
  return gaps ? [{ type, perHour: gaps.perHour }] : []
})
/** An hour and a margin, so that two sends at the ends of an hour do not both count. */
const HOUR = `${HOUR_MS + SECOND_MS} ms`

/**
 * Claims the next message of each channel that may send now: by priority (staff first), then by age. No other message
 * of the channel is claimed until this one ends, or until its holder must be dead; then the latest possible time of
 * its send counts.
 *
 * Isolation: one statement at read committed. The throttle row is locked and re-evaluated once it is: of two nodes,
 * only one claims. The order by priority is that of the channel's index. Without it, the planner may read the waiting
 * messages of all channels.
 */
export async function claimThrottledSends(
  db: Kysely<DB>,
  { claimId, now, limit }: { claimId: string; now: Date; limit: number },
): Promise<ClaimedMessage[]> {
  const leaseEndsAt = leaseEnd(SEND_LIMITS, now)
  // A send that starts within its lease renews the lease.
  const lostAt = leaseEnd(SEND_LIMITS, leaseEndsAt)
  const { rows } = await sql<{
    id: string
    accountId: string
    companyId: string
    priority: number
    channelId: string
    channelType: string
    isCoexistence: boolean
  }>`
    with ready as materialized (
      select channel_id from channel_throttle
      where next_at <= ${now} and (
        select true from message where message.channel_id = channel_throttle.channel_id
          and due_at <= ${now} and claim_id is null and status = 'queued'
        order by priority, due_at limit 1)
      order by next_at limit ${limit}
      for no key update skip locked
    ), picked as materialized (
      select due.id, ready.channel_id
      from ready cross join lateral (
        select id from message
        where message.channel_id = ready.channel_id and due_at <= ${now}
          and claim_id is null and status = 'queued'
        order by priority, due_at, id limit 1
        for update skip locked
      ) due
    ), held as (
      update channel_throttle set recent = recent || ${lostAt}::timestamptz, message_id = picked.id,
        next_at = greatest(${lostAt}::timestamptz, case when cardinality(recent) + 1 >= gaps.per_hour
          then recent[cardinality(recent) + 2 - gaps.per_hour] + ${HOUR}::interval end)
      from picked join channel on channel.id = picked.channel_id
        join unnest(${THROTTLED.map(({ type }) => type)}::text[],
          ${THROTTLED.map(({ perHour }) => perHour)}::int[]) as gaps (type, per_hour)
          on gaps.type = channel.type
      where channel_throttle.channel_id = picked.channel_id
    ), claimed as (
      update message set claim_id = ${claimId}, lease_expires_at = ${leaseEndsAt}
      from picked where message.id = picked.id
      returning message.id, message.company_id, message.priority, message.channel_id
    )
    select claimed.*, account_id, channel.type as channel_type, channel.is_coexistence
    from claimed join channel on channel.id = claimed.channel_id
      join company on company.id = claimed.company_id`.execute(db)
  return rows.map(({ channelId, channelType, isCoexistence, ...message }) => {
    const channel = { id: channelId, type: channelType, isCoexistence }
    return { ...message, claimId, channel }
  })
}

/**
 * Ends the current send of a throttled channel, whatever its outcome; does nothing on other channels. The next message
 * waits for a random gap within the limits, and for the hourly cap.
 */
export async function endThrottledSend(
  db: Kysely<DB>,
  { id, channel }: Pick<ClaimedMessage, 'id' | 'channel'>,
  { now, random }: { now: Date; random: Random },
): Promise<void> {
  const gaps = gapsOf(channel.type)
  if (!gaps) return
  const next = new Date(now.getTime() + pickGap(gaps, random))
  await sql`
    update channel_throttle set message_id = null, recent = ended.recent,
      next_at = greatest(${next}::timestamptz, case when cardinality(ended.recent) >= ${gaps.perHour}
        then ended.recent[1] + ${HOUR}::interval end)
    from (
      select (recent[:cardinality(recent) - 1] || ${now}::timestamptz)
        [greatest(cardinality(recent) - ${gaps.perHour - 1}, 1):] as recent
      from channel_throttle where channel_id = ${channel.id}
    ) ended
    where channel_id = ${channel.id} and message_id = ${id}`.execute(db)
}

function pickGap({ gapMinMs, gapMaxMs }: Gaps, random: Random): number {
  const bytes = new Uint8Array(2)
  random(bytes)
  return gapMinMs + Math.floor(((gapMaxMs - gapMinMs) * (bytes[0]! * 256 + bytes[1]!)) / 65_535)
}
