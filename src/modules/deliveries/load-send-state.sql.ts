import { sql, type Kysely } from 'kysely'
import type { EagerDelivery, DeliveryTarget } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import { PLANS_WITH_WEBHOOKS } from '../events/plans-with-webhooks.ts'

/** The current send state of a delivery. `isLive` states that its endpoint is on and the plan has webhooks. */
export type ReadyToSend = DeliveryTarget & { isLive: boolean }

/**
 * Returns what may have changed since eager deliveries were inserted, by delivery id: URL, secrets, slots, switch-off
 * and plan. This node must not send a delivery without a result: its transaction did not commit, or its claim has
 * ended.
 */
export async function loadSendState(
  db: Kysely<DB>,
  deliveries: readonly Pick<EagerDelivery, 'id' | 'claimId'>[],
  now: Date,
): Promise<Map<string, ReadyToSend>> {
  const { rows } = await sql<ReadyToSend & { id: string }>`
    with found as materialized (
      select delivery.* from unnest(${deliveries.map(({ id }) => id)}::uuid[],
          ${deliveries.map(({ claimId }) => claimId)}::uuid[]) as requested (id, claim_id)
        cross join lateral (
          select id, endpoint_id from delivery_queue
          where id = requested.id and claim_id is not distinct from requested.claim_id limit 1) delivery
    ), endpoint_now as materialized (
      select requested.endpoint_id, endpoint.url, health.slots,
        endpoint.is_on and endpoint.deleted_at is null
          and account.plan = any(${PLANS_WITH_WEBHOOKS}::text[]) as is_live,
        (select coalesce(json_agg(json_build_object('id', id, 'secret', secret,
            'lastFour', last_four) order by created_at, id), '[]')
          from endpoint_secret where endpoint_id = requested.endpoint_id
            and (signs_until is null or signs_until > ${now})) as secrets
      from (select distinct endpoint_id from found) requested
        cross join lateral (select url, company_id, is_on, deleted_at from endpoint
          where id = requested.endpoint_id limit 1) endpoint
        cross join lateral (select slots from endpoint_health
          where endpoint_id = requested.endpoint_id limit 1) health
        cross join lateral (select account_id from company
          where id = endpoint.company_id limit 1) company
        cross join lateral (select plan from account where id = company.account_id limit 1) account
    )
    select found.id, url, is_live, slots, secrets
    from found join endpoint_now using (endpoint_id)
  `.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
