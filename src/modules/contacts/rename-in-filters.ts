import { sql, type Transaction } from 'kysely'
import type { SegmentFilter } from '../../contract/dashboard/segment.ts'
import type { DB } from '../../infra/database/tables.ts'
import { withoutDoubles } from './create-contact.ts'

type Renamed = { companyId: string; tag: string; newTag: string }
type Stage = { isDone: boolean }

/**
 * A company's segments, and the filters of broadcasts whose recipients are still to be found, name a tag by its new
 * name once all contacts have it. Until then whoever is not to have the tag is to have neither: nobody whom a filter
 * leaves out comes into it because they were renamed first.
 *
 * Isolation: the segments are locked, then the broadcasts, each in the order of ids. One whose recipients are found
 * is not: who steps it holds customers.
 * Spec: Contacts › Tags.
 */
export async function renameInFilters(
  tx: Transaction<DB>,
  now: Date,
  renamed: Renamed,
  stage: Stage,
): Promise<void> {
  const { companyId } = renamed
  const segments = await tx
    .selectFrom('segment')
    .select(['id', 'filter'])
    .where('companyId', '=', companyId)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { id, filter: before } of segments) {
    const filter = afterRename(JSON.parse(before) as SegmentFilter, renamed, stage)
    if (filter === null) continue
    await tx
      .updateTable('segment')
      .set({ filter: JSON.stringify(filter), updatedAt: now })
      .where('id', '=', id)
      .where('companyId', '=', companyId)
      .execute()
  }
  const { rows: broadcasts } = await sql<{ id: string; audience: string; filter: string | null }>`
    select id, audience, filter from broadcast
    where company_id = ${companyId} and prepared_at is null
      and state in ('draft', 'scheduled', 'preparing', 'paused')
    order by id for no key update`.execute(tx)
  for (const { id, ...before } of broadcasts) {
    const audience = inAudience(before.audience, renamed, stage)
    const filter = before.filter === null ? null : inAudience(before.filter, renamed, stage)
    if (audience === before.audience && filter === before.filter) continue
    await tx
      .updateTable('broadcast')
      .set({ audience, filter })
      .where('id', '=', id)
      .where('companyId', '=', companyId)
      .execute()
  }
}

/** The filter of a broadcast, as JSON text; any other audience as it is. */
function inAudience(text: string, renamed: Renamed, stage: Stage): string {
  const audience = JSON.parse(text) as { kind: string; filter?: SegmentFilter }
  const filter = audience.filter && afterRename(audience.filter, renamed, stage)
  return filter ? JSON.stringify({ ...audience, filter }) : text
}

/** Null where it does not name the tag. */
function afterRename(
  { tags, withoutTags, ...rest }: SegmentFilter,
  { tag, newTag }: Renamed,
  { isDone }: Stage,
): SegmentFilter | null {
  const isIt = (one: string) => one.toLowerCase() === tag.toLowerCase()
  const rename = (names: string[]) => withoutDoubles(names.map((one) => (isIt(one) ? newTag : one)))
  const addNew = (names: string[]) =>
    names.some(isIt) ? withoutDoubles([...names, newTag]) : names
  if (![...(tags ?? []), ...(withoutTags ?? [])].some(isIt)) return null
  return {
    ...(tags && { tags: isDone ? rename(tags) : tags }),
    ...(withoutTags && { withoutTags: isDone ? rename(withoutTags) : addNew(withoutTags) }),
    ...rest,
  }
}
