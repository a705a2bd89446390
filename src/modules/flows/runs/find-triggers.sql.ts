import { CompiledQuery, type Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import { PLAN_LIMITS } from '../../../core/limits/accounts.ts'
import type { Plan } from '../../../core/vocabulary/accounts.ts'
import type { TriggerKind } from '../../../core/vocabulary/flows.ts'
import type { TriggerCandidate } from '../../../flow-kinds/triggers/choose-trigger.ts'

/** A look-up of triggers by one key of one message. */
export type TriggerLookup = {
  channelId: string
  conversationId: string
  kind: TriggerKind
  key: string
}

/** A trigger whose key a message has; `choose-trigger` decides whether it matches. */
export type FoundTrigger = TriggerCandidate & {
  /** The index of the look-up that found it. */
  nth: number
  flowVersionId: string
  flowName: string
}

/** The largest limit of flows of any plan, up to which earlier flows are counted. */
const MAX_FLOWS = Math.max(...Object.values(PLAN_LIMITS).map(({ flows }) => flows))

type Row = FoundTrigger & { plan: Plan; publishedBefore: number }

/** The query of `findTriggers`. */
export const FIND_TRIGGERS = `
  select input.nth, input.kind, found.*,
    array(select id from flow_run
      where flow_run.conversation_id = input.conversation_id and flow_run.flow_id = found."flowId"
        and flow_run.ended_at is null) as "activeRuns"
  from unnest($1::uuid[], $2::text[], $3::text[], $4::text[])
    with ordinality as input (channel_id, conversation_id, kind, key, nth)
  cross join lateral (
    select flow_trigger.key, flow_trigger.phrase, flow_trigger.is_exact as "isExact",
      flow_trigger.interrupts, account.plan,
      flow.id as "flowId", flow.name as "flowName", flow_trigger.flow_version_id as "flowVersionId",
      flow.first_published_at as "firstPublishedAt",
      (select count(*)::int from (
        select from flow other
        where other.company_id = flow.company_id and other.deleted_at is null and other.is_on
          and other.published_version_id is not null
          and (other.first_published_at, other.id) < (flow.first_published_at, flow.id)
        order by other.first_published_at, other.id limit $5
      ) before) as "publishedBefore"
    from flow_trigger
      join flow on flow.id = flow_trigger.flow_id
        and flow.published_version_id = flow_trigger.flow_version_id
      join company on company.id = flow.company_id
      join account on account.id = company.account_id
    where flow_trigger.channel_id = input.channel_id and flow_trigger.kind = input.kind
      and flow_trigger.key = input.key and flow.is_on and flow.deleted_at is null
  ) found`

/**
 * Finds triggers that messages may match, of flows that may start runs now: published, switched on, within the plan's
 * number. Each look-up is lateral on the index of (channel, kind, key), so the cost does not depend on the number of
 * flows. Spec: Concepts › Plans; reading N3.
 */
export async function findTriggers(
  tx: Transaction<DB>,
  lookups: readonly TriggerLookup[],
): Promise<FoundTrigger[]> {
  if (lookups.length === 0) return []
  const query = CompiledQuery.raw(FIND_TRIGGERS, [
    lookups.map((lookup) => lookup.channelId),
    lookups.map((lookup) => lookup.conversationId),
    lookups.map((lookup) => lookup.kind),
    lookups.map((lookup) => lookup.key),
    MAX_FLOWS,
  ])
  const { rows } = await tx.executeQuery<Row>(query)
  return rows.flatMap(({ plan, publishedBefore, ...row }) => {
    const { automations, flows } = PLAN_LIMITS[plan]
    return automations && publishedBefore < flows ? [{ ...row, nth: row.nth - 1 }] : []
  })
}
