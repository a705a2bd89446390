/** Loads the panels of a company's first page: one statement for each, over a bounded number of rows. */
import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { oldestIdAt } from '../../core/ids.ts'
import { LOG_LIMITS } from '../../core/limits/deliveries.ts'
import { HOME_LIMITS } from '../../core/limits/overview.ts'
import type { EndpointStateInputs } from '../../rules/deliveries/endpoint-state.ts'
import type { TriggerKind } from '../../core/vocabulary/flows.ts'

type Of = { companyId: string }

/** A connected channel, as the first page shows it. */
export type ChannelFound = {
  type: string
  number: string | null
  name: string | null
  isSimulated: boolean
  connectedAt: Date
}

/** Returns the company's oldest connected channel, or null. */
export async function readFirstChannel(
  db: Kysely<DB>,
  { companyId }: Of,
): Promise<ChannelFound | null> {
  const { rows } = await sql<ChannelFound>`
    select type, display_number as number, name, is_simulated, created_at as connected_at from channel
    where company_id = ${companyId} and deleted_at is null and is_connected
    order by created_at, id limit 1`.execute(db)
  return rows[0] ?? null
}

/**
 * Counts the templates of channels that are not deleted. Returns null without any template. `readAt` is when one was
 * last read from a provider.
 */
export async function readTemplateCount(
  db: Kysely<DB>,
  { companyId }: Of,
): Promise<{ count: number; approved: number; readAt: Date } | null> {
  const { rows } = await sql<{ count: number; approved: number; readAt: Date | null }>`
    select count(*)::int as count, count(*) filter (where status = 'APPROVED')::int as approved,
      max(synced_at) as read_at
    from template
    where channel_id in (
      select id from channel where company_id = ${companyId} and deleted_at is null)`.execute(db)
  const { count, approved, readAt } = rows[0]!
  return readAt === null ? null : { count, approved, readAt }
}

/** A flow with the JSON text of its published version, else of its newest one. */
export type FlowFound = { id: string; name: string; isPublished: boolean; definition: string }

/** The facts that decide the state of a flow, besides the plan. */
export type FlowStateFacts = {
  id: string
  isPublished: boolean
  isOn: boolean
  triggerKind: TriggerKind | null
  isChannelConnected: boolean
}

/** Loads the facts that decide the state of each of these flows, in no order. */
export async function readFlowStateFacts(
  db: Kysely<DB>,
  { companyId }: Of,
  flowIds: readonly string[],
): Promise<FlowStateFacts[]> {
  const { rows } = await sql<FlowStateFacts>`
    select flow.id, flow.published_version_id is not null as is_published, flow.is_on,
      version.trigger_kind, coalesce(channel.is_connected, false) as is_channel_connected
    from flow left join flow_version version on version.id = flow.published_version_id
      left join channel on channel.id = version.channel_id
    where flow.company_id = ${companyId} and flow.id = any(${flowIds}::uuid[])`.execute(db)
  return rows
}

/** Returns the flow that was published first, or else the draft that was changed last; null without any. */
export async function readFirstFlow(db: Kysely<DB>, { companyId }: Of): Promise<FlowFound | null> {
  const { rows } = await sql<FlowFound>`
    select flow.id, flow.name, flow.published_version_id is not null as is_published,
      version.definition
    from (
      select * from flow where company_id = ${companyId} and deleted_at is null
      order by first_published_at nulls last,
        case when first_published_at is null then updated_at end desc nulls last, id limit 1) flow
    cross join lateral (
      select definition from flow_version
      where flow_version.flow_id = flow.id
        and (flow.published_version_id is null or flow_version.id = flow.published_version_id)
      order by number desc limit 1) version`.execute(db)
  return rows[0] ?? null
}

/** A hook URL with its flow, and its last request: the answer and the time, null where unknown. */
export type HookUrlWithLastRequest = {
  id: string
  flowId: string
  flowName: string
  answerStatus: string | null
  receivedAt: Date | null
}

/** Returns every hook URL, the most recently used first. Request counts outlive the stored requests. */
export async function readHookUrlsByLastUse(
  db: Kysely<DB>,
  { companyId }: Of,
): Promise<HookUrlWithLastRequest[]> {
  const { rows } = await sql<HookUrlWithLastRequest>`
    select hook_url.id, flow.id as flow_id, flow.name as flow_name, hook_shape.answer_status,
      greatest(hook_shape.received_at, hook_url_count.window_start) as received_at
    from hook_url join flow on flow.id = hook_url.flow_id
      left join hook_shape on hook_shape.hook_url_id = hook_url.id
      left join hook_url_count on hook_url_count.hook_url_id = hook_url.id
    where hook_url.company_id = ${companyId} and flow.deleted_at is null
    order by received_at desc nulls last, hook_url.id`.execute(db)
  return rows
}

/** An endpoint, with the number of the company's endpoints that are on. */
export type EndpointFound = { id: string; name: string; isOn: boolean; count: number }

/** Returns the oldest endpoint that is on, else the oldest one; null without any. */
export async function readFirstEndpoint(
  db: Kysely<DB>,
  { companyId }: Of,
): Promise<EndpointFound | null> {
  const { rows } = await sql<EndpointFound>`
    select id, name, is_on, (count(*) filter (where is_on) over ())::int as count from endpoint
    where company_id = ${companyId} and deleted_at is null
    order by is_on desc, created_at, id limit 1`.execute(db)
  return rows[0] ?? null
}

/** Returns the last successful delivery since a time, tests included, among each endpoint's newest ones; or null. */
export async function readLatestDelivered(
  db: Kysely<DB>,
  { companyId }: Of,
  since: Date,
): Promise<{ id: string; endpointName: string; deliveredAt: Date } | null> {
  const { rows } = await sql<{ id: string; endpointName: string; deliveredAt: Date }>`
    select delivery.id, endpoint.name as endpoint_name,
      coalesce(delivery.ended_at, delivery.created_at) as delivered_at
    from endpoint cross join lateral (
      select id, ended_at, created_at from (
        select id, ended_at, created_at, state from webhook_delivery
        where webhook_delivery.endpoint_id = endpoint.id and id >= ${oldestIdAt(since)}
        order by id desc limit ${LOG_LIMITS.scannedRows}) newest
      where state = 'delivered' order by id desc limit 1) delivery
    where endpoint.company_id = ${companyId} and endpoint.deleted_at is null
    order by delivered_at desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** An endpoint with the facts that decide its state. */
export type EndpointHealthFound = StateOfEndpointFound & { id: string; name: string }
type StateOfEndpointFound = Omit<EndpointStateInputs, 'isInPlan'> & {
  failingSince: Date | null
  offAt: Date | null
}

/** Loads the health of each endpoint of a company. A company has at most ten. */
export async function readEndpointHealths(
  db: Kysely<DB>,
  { companyId }: Of,
): Promise<EndpointHealthFound[]> {
  const { rows } = await sql<EndpointHealthFound>`
    select id, name, is_on, off_reason, off_at, failures_in_row, failing_since, last_success_at,
      last_failure_at
    from endpoint join endpoint_health on endpoint_id = endpoint.id
    where endpoint.company_id = ${companyId} and deleted_at is null
    order by created_at, id`.execute(db)
  return rows
}

/** A channel that does not work: `disconnectedReason` and `problem` are serialized facts. */
export type TroubledChannel = {
  id: string
  name: string | null
  type: string
  isConnected: boolean
  disconnectedReason: string | null
  problem: string | null
}

/** Loads the channels that are not connected, or whose events do not arrive. */
export async function readTroubledChannels(
  db: Kysely<DB>,
  { companyId }: Of,
): Promise<TroubledChannel[]> {
  const { rows } = await sql<TroubledChannel>`
    select id, name, type, is_connected, disconnected_reason, problem from channel
    where company_id = ${companyId} and deleted_at is null
      and (not is_connected or problem is not null)
    order by created_at, id`.execute(db)
  return rows
}

/** Returns true if a company has something that works only on a plan with hook URLs, webhooks and calls. */
export async function usesDeveloperFeatures(db: Kysely<DB>, { companyId }: Of): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from hook_url where company_id = ${companyId})
      or exists (select from endpoint where company_id = ${companyId} and deleted_at is null)
      or exists (select from api_connection where company_id = ${companyId} and deleted_at is null)
      as has`.execute(db)
  return rows[0]!.has
}

/** A conversation that waits for staff, with its customer and open handover. */
export type WaitingFound = {
  conversationId: string
  isVisitor: boolean
  name: string | null
  phone: string | null
  reason: string | null
  reasonText: string | null
  waitingSince: Date | null
}

/** Returns the unassigned conversations that wait longest for staff, up to a maximum. */
export async function readWaiting(db: Kysely<DB>, { companyId }: Of): Promise<WaitingFound[]> {
  const { rows } = await sql<WaitingFound>`
    select waiting.id as conversation_id, contact_id is null as is_visitor,
      coalesce(contact.name, visitor_name) as name,
      coalesce(contact.phone, contact.raw_phone) as phone, handover.reason, handover.reason_text,
      waiting_since
    from (
      select id, contact_id, visitor_name, waiting_since from conversation
      where company_id = ${companyId} and status = 'open' and needs_staff and assignee_id is null
      order by coalesce(waiting_since, 'infinity'), id limit ${HOME_LIMITS.waitingShown}) waiting
      left join contact on contact.id = contact_id
      left join handover on handover.conversation_id = waiting.id and handover.closed_at is null
    order by coalesce(waiting_since, 'infinity'), waiting.id`.execute(db)
  return rows
}

/** Counts the unassigned conversations that wait for staff, up to a maximum. */
export async function countWaiting(
  db: Kysely<DB>,
  { companyId }: Of,
  max: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from conversation
      where company_id = ${companyId} and status = 'open' and needs_staff and assignee_id is null
      limit ${max}) found`.execute(db)
  return rows[0]!.count
}

/** The runs that were created in an hour (UTC), and how many of them failed. */
export type RunHour = { hour: Date; runs: number; failed: number }

/** Counts the newest runs since a time, by hour, up to one more than the maximum. Ids are ordered by time. */
export async function readRunHours(
  db: Kysely<DB>,
  { companyId }: Of,
  since: Date,
): Promise<RunHour[]> {
  const { rows } = await sql<RunHour>`
    select date_trunc('hour', created_at, 'UTC') as hour, count(*)::int as runs,
      count(*) filter (where status = 'failed')::int as failed
    from (
      select run.created_at, status from flow cross join lateral (
        select id, created_at, status from flow_run
        where flow_id = flow.id and id >= ${oldestIdAt(since)}
        order by id desc limit ${HOME_LIMITS.runsCounted + 1}) run
      where company_id = ${companyId}
      order by run.id desc limit ${HOME_LIMITS.runsCounted + 1}) newest
    where created_at >= ${since}
    group by 1 order by 1`.execute(db)
  return rows
}
