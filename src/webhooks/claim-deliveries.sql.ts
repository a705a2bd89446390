import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { DELIVERY_ENGINE } from '../limits.ts'

export type ClaimedDelivery = {
  id: string
  companyId: string
  endpointId: string
  eventId: string
  eventType: string
  apiVersion: string
  kind: 'event' | 'resend' | 'test'
  /** Attempts that have ended; the next one is this plus one. */
  attempts: number
  dueAt: Date
  claimId: string
  url: string
  body: Buffer
  /** The secrets that sign now, the older first, encrypted. */
  secrets: { id: string; secret: string; lastFour: string }[]
}

/**
 * Takes due deliveries for this node: as many of each endpoint as it has free slots, the oldest due
 * first, at most `limit` in all. Each is leased for 30 s under the claim id.
 *
 * Isolation: candidates are locked with `skip locked`, so that two nodes claiming together share the
 * rows and never both get one. The slots in use are counted before the lock; two nodes that count at
 * the same instant can together go over an endpoint's slots by one claim, which is harmless.
 *
 * Endpoints with something due are found by skipping through the partial index from one endpoint to
 * the next, so the cost does not grow with what waits behind a slow endpoint.
 */
export async function claimDeliveries(
  db: Kysely<DB>,
  { claimId, now, limit }: { claimId: string; now: Date; limit: number },
): Promise<ClaimedDelivery[]> {
  const leaseEnds = new Date(now.getTime() + DELIVERY_ENGINE.leaseMs)
  const { rows } = await sql<ClaimedDelivery>`
    with recursive waiting (endpoint_id) as (
      (select endpoint_id from webhook_delivery
        where state = 'pending' and claim_id is null order by endpoint_id limit 1)
      union all
      select (select endpoint_id from webhook_delivery
        where state = 'pending' and claim_id is null and endpoint_id > waiting.endpoint_id
        order by endpoint_id limit 1)
      from waiting where waiting.endpoint_id is not null
    ), picked as (
      select delivery.id
      from waiting
        join endpoint on endpoint.id = waiting.endpoint_id
        cross join lateral (
          select count(*)::int as used from webhook_delivery
          where endpoint_id = waiting.endpoint_id and claim_id is not null
        ) in_flight
        cross join lateral (
          select id, due_at from webhook_delivery
          where endpoint_id = waiting.endpoint_id and state = 'pending' and claim_id is null
            and due_at <= ${now}
          order by due_at
          limit greatest(${DELIVERY_ENGINE.inFlightPerEndpoint}::int - in_flight.used, 0)
          for update skip locked
        ) delivery
      order by delivery.due_at
      limit ${limit}
    )
    update webhook_delivery
    set claim_id = ${claimId}, claimed_until = ${leaseEnds}
    from picked, endpoint, event, event_body
    where webhook_delivery.id = picked.id
      and event.id = webhook_delivery.event_id
      and endpoint.id = webhook_delivery.endpoint_id
      and event_body.event_id = webhook_delivery.event_id
      and event_body.api_version = webhook_delivery.api_version
    returning webhook_delivery.id, webhook_delivery.company_id, webhook_delivery.endpoint_id,
      webhook_delivery.event_id, event.type as event_type, webhook_delivery.api_version, webhook_delivery.kind,
      webhook_delivery.attempts, webhook_delivery.due_at, webhook_delivery.claim_id,
      endpoint.url, event_body.body,
      (select coalesce(json_agg(json_build_object('id', secret.id, 'secret', secret.secret,
          'lastFour', secret.last_four) order by secret.created_at), '[]')
        from endpoint_secret secret
        where secret.endpoint_id = endpoint.id
          and (secret.signs_until is null or secret.signs_until > ${now})) as secrets
  `.execute(db)
  return rows
}

/** Gives back what a dead or stuck worker had claimed. Returns how many rows that were. */
export async function releaseExpiredDeliveries(db: Kysely<DB>, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_delivery set claim_id = null, claimed_until = null
    where claim_id is not null and claimed_until < ${now}
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** When the next unclaimed delivery is due, or the next lease ends; null when nothing waits. */
export async function nextDeliveryDue(db: Kysely<DB>): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    with recursive waiting (endpoint_id, due_at) as (
      (select endpoint_id, due_at from webhook_delivery
        where state = 'pending' and claim_id is null order by endpoint_id, due_at limit 1)
      union all
      select following.endpoint_id, following.due_at
      from waiting cross join lateral (
        select endpoint_id, due_at from webhook_delivery
        where state = 'pending' and claim_id is null and endpoint_id > waiting.endpoint_id
        order by endpoint_id, due_at limit 1) following
    )
    select least(
      (select min(due_at) from waiting),
      (select min(claimed_until) from webhook_delivery where claim_id is not null)
    ) as at
  `.execute(db)
  return rows[0]?.at ?? null
}
