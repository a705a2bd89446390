import { sql, type Kysely, type RawBuilder } from 'kysely'
import { filterConditions } from '../contacts/filter-conditions.sql.ts'
import { loadSegment, toStoredFilter } from '../contacts/segments.ts'
import type { Audience } from '../../contract/dashboard/broadcast.ts'
import type { SegmentFilter } from '../../contract/dashboard/segment.ts'
import type { DB } from '../../infra/database/tables.ts'
import { BROADCAST_WORK } from '../../core/limits/broadcasts.ts'

/** A broadcast's audience, frozen so that later changes do not affect it. */
export type FrozenAudience =
  | { kind: 'filter'; filter: SegmentFilter }
  | Extract<Audience, { kind: 'contacts' | 'failed_of' }>

/**
 * Returns the audience of a broadcast in the form that is stored at its start, such as the current filter of a segment.
 * @throws not_found for a deleted segment; invalid for a field that is not the company's.
 */
export async function freezeAudience(
  db: Kysely<DB>,
  companyId: string,
  audience: Audience,
): Promise<FrozenAudience> {
  switch (audience.kind) {
    case 'segment': {
      const { filter } = await loadSegment(db, { companyId, segmentId: audience.segmentId })
      return { kind: 'filter', filter }
    }
    case 'filter':
      return { kind: 'filter', filter: await toStoredFilter(db, companyId, audience.filter) }
    case 'contacts':
    case 'failed_of':
      return audience
  }
}

/** Returns the SQL conditions of which `contact` must meet all to belong to the audience. */
export function audienceConditions(
  companyId: string,
  audience: FrozenAudience,
  at: Date,
): RawBuilder<unknown>[] {
  switch (audience.kind) {
    case 'filter':
      return filterConditions(companyId, audience.filter, at)
    case 'contacts':
      // A picked contact may have been merged into another one.
      return [
        sql`contact.id = any(array(select coalesce(into_id, picked)
          from unnest(${audience.contactIds}::uuid[]) picked left join contact_merge
            on contact_merge.from_id = picked and contact_merge.company_id = ${companyId}))`,
      ]
    case 'failed_of':
      return [sql`contact.id in (${failedOf(companyId, audience.broadcastId)})`]
  }
}

/**
 * Returns the query of the next page of contacts by id, where `fits` says whether a contact belongs to the audience.
 * For a filter, a page also holds contacts that do not match, so that all pages cost the same.
 */
export function selectAudiencePage(
  companyId: string,
  audience: FrozenAudience,
  { at, after }: { at: Date; after: string },
): RawBuilder<unknown> {
  const next = sql`contact.company_id = ${companyId} and contact.id > ${after}
    order by contact.id limit ${BROADCAST_WORK.page}`
  const conditions = audienceConditions(companyId, audience, at)
  if (audience.kind !== 'filter') {
    return sql`select contact.id, true as fits from contact
      where ${sql.join(conditions, sql` and `)} and ${next}`
  }
  const fits = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
  return sql`select contact.id, coalesce((${fits}), false) as fits from contact where ${next}`
}

/**
 * Returns the query of contacts that a broadcast failed to reach. Contacts whose send will be retried are left out,
 * because their outcome is still open. Spec: reading R10.
 */
function failedOf(companyId: string, broadcastId: string): RawBuilder<unknown> {
  return sql`select recipient.contact_id from message
    join broadcast_recipient recipient on recipient.message_id = message.id
    where message.broadcast_id = ${broadcastId} and message.broadcast_status = 'failed' and message.due_at is null
      and message.company_id = ${companyId} and recipient.contact_id is not null`
}
