/** Segments: named filters of contacts, evaluated for each use. Spec: Contacts › Segments. */
import { requireBelowLimit } from '../accounts/require-below-limit.ts'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type {
  CreateSegment,
  EditSegment,
  SegmentFilter,
  SegmentView,
} from '../../contract/dashboard/segment.ts'
import { isUniqueViolation } from '../../infra/database/is-unique-violation.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { SEGMENT_LIMITS } from '../../core/limits/contacts.ts'
import { ServiceError, wrongField } from '../../core/service-error.ts'
import { filterConditions } from './filter-conditions.sql.ts'
import { readFieldDesigns, readCustomFields } from './read-custom-fields.ts'
import { readWithTimeout } from './read-with-timeout.ts'

type Owned = { companyId: string; segmentId: string }

/** Returns all segments (stored contact filters) of a company, by name. */
export async function listSegments(
  { db }: Pick<Context, 'db'>,
  { companyId }: { companyId: string },
): Promise<{ items: SegmentView[] }> {
  const rows = await db.kysely
    .selectFrom('segment')
    .select(['id', 'name', 'filter'])
    .where('companyId', '=', companyId)
    .orderBy('name')
    .orderBy('id')
    .execute()
  return { items: rows.map(view) }
}

/**
 * Loads a segment: a stored filter of contacts.
 * @throws not_found
 */
export async function loadSegment(
  db: Kysely<DB>,
  { companyId, segmentId }: Owned,
): Promise<SegmentView> {
  const row = await db
    .selectFrom('segment')
    .select(['id', 'name', 'filter'])
    .where('id', '=', segmentId)
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow(() => noSuchSegment())
  return view(row)
}

/**
 * Creates a segment: a stored filter of contacts.
 * @throws limit_reached; invalid when its name is taken or a field is unknown
 */
export async function createSegment(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, name, filter }: CreateSegment & { companyId: string },
): Promise<SegmentView> {
  const id = ids.uuid()
  return whereNameIsFree(
    auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
      await lockCompany(tx, actor, companyId)
      const { segments: max } = SEGMENT_LIMITS
      await requireBelowLimit(
        tx.selectFrom('segment').where('companyId', '=', companyId),
        max,
        fact('too_many_segments', { max }),
      )
      const read = await toStoredFilter(tx, companyId, filter)
      const row = { id, companyId, name, filter: JSON.stringify(read) }
      await tx
        .insertInto('segment')
        .values({ ...row, createdAt: now, updatedAt: now })
        .execute()
      await audit('segment.created', { id, companyId }, { name })
      return view(row)
    }),
  )
}

/**
 * Changes the name or the filter of a segment.
 * @throws not_found; invalid as for a new one
 */
export async function editSegment(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, segmentId, name, filter }: Owned & EditSegment,
): Promise<SegmentView> {
  return whereNameIsFree(
    auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
      const row = await tx
        .updateTable('segment')
        .set({
          ...(name !== undefined && { name }),
          ...(filter && { filter: JSON.stringify(await toStoredFilter(tx, companyId, filter)) }),
          updatedAt: now,
        })
        .where('id', '=', segmentId)
        .where('companyId', '=', companyId)
        .returning(['id', 'name', 'filter'])
        .executeTakeFirst()
      if (!row) throw noSuchSegment()
      await audit('segment.edited', { id: segmentId, companyId }, { name: row.name })
      return view(row)
    }),
  )
}

/** Deletes a segment. @throws not_found */
export async function deleteSegment(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, segmentId }: Owned,
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    const deleted = await tx
      .deleteFrom('segment')
      .where('id', '=', segmentId)
      .where('companyId', '=', companyId)
      .returning('name')
      .executeTakeFirstOrThrow(() => noSuchSegment())
    await audit('segment.deleted', { id: segmentId, companyId }, deleted)
  })
}

/**
 * Counts the contacts that match a filter now. @throws invalid; service_unavailable when there are too many to count
 * in time
 */
export async function countSegment(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { companyId, filter }: { companyId: string; filter: SegmentFilter },
): Promise<{ count: number }> {
  const read = await toStoredFilter(db.kysely, companyId, filter)
  const count = await countInTime(db, companyId, filterConditions(companyId, read, clock.now()))
  if (count === null) throw new ServiceError('service_unavailable', fact('too_many_to_count'))
  return { count }
}

/**
 * Counts the contacts of a company that match conditions; null when there are too many to count in time. @throws
 * rate_limited
 */
export async function countInTime(
  db: Context['db'],
  companyId: string,
  conditions: readonly RawBuilder<unknown>[],
): Promise<number | null> {
  const fits = [sql`contact.company_id = ${companyId}`, ...conditions]
  return readWithTimeout(db, { companyId, withinMs: SEGMENT_LIMITS.countMs }, async (tx) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from contact where ${sql.join(fits, sql` and `)}`.execute(tx)
    return rows[0]!.count
  })
}

/** Returns a filter with its field values in the form in which contacts store them. @throws invalid for an unknown field */
export async function toStoredFilter(
  db: Kysely<DB>,
  companyId: string,
  filter: SegmentFilter,
): Promise<SegmentFilter> {
  if (!filter.fields) return filter
  const read = readCustomFields(
    await readFieldDesigns(db, companyId),
    filter.fields,
    'filter.fields',
  )
  const fields = Object.entries(read).filter((pair): pair is [string, string] => pair[1] !== null)
  return { ...filter, fields: Object.fromEntries(fields) }
}

async function whereNameIsFree(change: Promise<SegmentView>): Promise<SegmentView> {
  return change.catch((error: unknown) => {
    if (!isUniqueViolation(error, 'segment_name')) throw error
    throw wrongField('name', fact('segment_name_taken'))
  })
}

function noSuchSegment(): ServiceError {
  return new ServiceError('not_found', fact('no_such_segment'))
}

function view({ id, name, filter }: { id: string; name: string; filter: string }): SegmentView {
  return { id, name, filter: JSON.parse(filter) as SegmentFilter }
}
