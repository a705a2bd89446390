/**
 * Events. A fact and its event are one transaction: any room raises an event inside the transaction
 * of the change it tells of, and never asks what becomes of it.
 *
 * The body is frozen here, in bytes, once per shape version: endpoints, retries and resends share it,
 * so a signature always matches. One delivery is written for each endpoint that subscribes; for an
 * endpoint that is switched off, or a company whose plan has no webhooks, it is held. An endpoint whose
 * version is told no more gets the one that stands in for it (`versionSent`).
 *
 * Spec: Events › Envelope; readings E1, D4.
 */
import { CompiledQuery, type Transaction } from 'kysely'
import { EVENT_VERSIONS, type EventVersion } from '../contract/event-versions.ts'
import type { EventDataByType } from '../contract/webhook-envelope.ts'
import type { DB } from '../database/tables.ts'
import type { Ids } from '../ids.ts'
import type { EventType, SubscribableEventType } from '../vocabulary.ts'
import { eventIdText } from './event-id.ts'
import { fitBody } from './fit-body.ts'
import { PLANS_WITH_WEBHOOKS } from './plans-with-webhooks.ts'

/** Whoever raises a type adds it to those that an endpoint can subscribe to. */
export type EventToRaise<Type extends EventType = SubscribableEventType | 'ping'> = {
  [T in Type]: {
    type: T
    company: { id: string; name: string | null }
    data: EventDataByType[T]
    /** When it happened: `createdAt` of the envelope. */
    occurredAt: Date
    /** What the log is searched by. */
    conversationId?: string | null
    contactId?: string | null
    runId?: string | null
  }
}[Type]

type RaiseDeps = {
  ids: Ids
  now: Date
  /** The shape versions, oldest first; those of this release unless told. */
  versions?: readonly EventVersion[]
}

/** Writes an event, its frozen body and one delivery for each subscribed endpoint. */
export async function raiseEvent(
  tx: Transaction<DB>,
  deps: RaiseDeps,
  event: EventToRaise,
): Promise<void> {
  const { text, values } = raiseEventsStatement(deps, [event])
  await tx.executeQuery(CompiledQuery.raw(text, values))
}

/**
 * The one statement that raises any number of events, in their order. A company without endpoints
 * costs a look-up and writes nothing.
 */
export function raiseEventsStatement(
  { ids, now, versions = EVENT_VERSIONS }: RaiseDeps,
  events: readonly EventToRaise[],
): { name: string; text: string; values: unknown[] } {
  const eventIds = events.map(() => ids.uuid())
  const bodies = events.flatMap((event, index) =>
    versions.map(({ version, shape }) => ({
      eventId: eventIds[index]!,
      apiVersion: version,
      bytes: fitBody({
        id: eventIdText(eventIds[index]!),
        type: event.type,
        apiVersion: version,
        createdAt: event.occurredAt.toISOString(),
        test: false,
        company: event.company,
        data: shape(event.type, event.data),
      }),
    })),
  )
  return {
    name: 'raise-events',
    text: RAISE_EVENTS,
    values: [
      eventIds,
      events.map((event) => event.company.id),
      events.map((event) => event.type),
      events.map((event) => event.conversationId ?? null),
      events.map((event) => event.contactId ?? null),
      events.map((event) => event.runId ?? null),
      events.map((event) => event.occurredAt),
      bodies.map((body) => body.eventId),
      bodies.map((body) => body.apiVersion),
      bodies.map((body) => body.bytes),
      PLANS_WITH_WEBHOOKS,
      now,
      versions.map(({ version }) => version),
    ],
  }
}

const RAISE_EVENTS = `
  with made as (
    select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::uuid[],
      $7::timestamptz[]) as event
      (id, company_id, type, conversation_id, contact_id, run_id, occurred_at)
  ), raised as (
    insert into event (id, company_id, type, conversation_id, contact_id, run_id, occurred_at)
    select made.* from made
    where exists (select from endpoint
      where endpoint.company_id = made.company_id and endpoint.deleted_at is null)
    returning id, company_id, type
  ), subscribed as (
    select raised.id as event_id, raised.company_id, endpoint.id as endpoint_id,
      coalesce(
        (select min(known collate "C") from unnest($13::text[]) known
          where known collate "C" >= endpoint.api_version),
        (select max(known collate "C") from unnest($13::text[]) known)) as api_version,
      endpoint.is_on and account.plan = any($11::text[]) as is_live
    from raised
      join endpoint on endpoint.company_id = raised.company_id and endpoint.deleted_at is null
        and raised.type = any(endpoint.event_types)
      join company on company.id = raised.company_id
      join account on account.id = company.account_id
  ), frozen as (
    insert into event_body (id, api_version, body)
    select body.* from unnest($8::uuid[], $9::text[], $10::bytea[])
      as body (id, api_version, body)
    where exists (select from subscribed
      where subscribed.event_id = body.id and subscribed.api_version = body.api_version)
  )
  insert into webhook_delivery
    (id, company_id, endpoint_id, event_id, body_id, api_version, kind, state, due_at, lane,
      created_at)
  select new_uuid_v7($12), company_id, endpoint_id, event_id, event_id, api_version, 'event',
    case when is_live then 'pending' else 'held' end,
    case when is_live then $12::timestamptz end, case when is_live then 'first' end, $12
  from subscribed
`
