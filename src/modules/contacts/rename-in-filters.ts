import { sql, type Transaction } from 'kysely'
import type { SegmentFilter } from '../../contract/dashboard/segment.ts'
import type { DB } from '../../infra/database/tables.ts'
import { uniqueTags } from './create-contact.ts'

type Renamed = { companyId: string; tag: string; newTag: string }
type Stage = { isDone: boolean }

/**
 * Renames a tag in the company's segments, and in the filters of broadcasts without recipients, once all contacts have
 * the new name (`isDone`). While contacts are being renamed, filters that exclude the tag exclude both names instead,
 * so that contacts renamed early are not included.
 *
 * Isolation: the segments are locked, then the broadcasts, each in the order of ids. Broadcasts with recipients are
 * not locked: the worker that processes one locks customers.
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
    const audience = renameInAudience(before.audience, renamed, stage)
    const filter = before.filter === null ? null : renameInAudience(before.filter, renamed, stage)
    if (audience === before.audience && filter === before.filter) continue
    await tx
      .updateTable('broadcast')
      .set({ audience, filter })
      .where('id', '=', id)
      .where('companyId', '=', companyId)
      .execute()
  }
}

/** Renames in the filter of a broadcast, as JSON text; other audiences are unchanged. */
function renameInAudience(text: string, renamed: Renamed, stage: Stage): string {
  const audience = JSON.parse(text) as { kind: string; filter?: SegmentFilter }
  const filter = audience.filter && afterRename(audience.filter, renamed, stage)
  return filter ? JSON.stringify({ ...audience, filter }) : text
}

/** Returns the changed filter; null when it does not contain the tag. */
function afterRename(
  { tags, withoutTags, ...rest }: SegmentFilter,
  { tag, newTag }: Renamed,
  { isDone }: Stage,
): SegmentFilter | null {
  const isRenamedTag = (one: string) => one.toLowerCase() === tag.toLowerCase()
  const rename = (names: string[]) =>
    uniqueTags(names.map((one) => (isRenamedTag(one) ? newTag : one)))
  const addNew = (names: string[]) =>
    names.some(isRenamedTag) ? uniqueTags([...names, newTag]) : names
  if (![...(tags ?? []), ...(withoutTags ?? [])].some(isRenamedTag)) return null
  return {
    ...(tags && { tags: isDone ? rename(tags) : tags }),
    ...(withoutTags && { withoutTags: isDone ? rename(withoutTags) : addNew(withoutTags) }),
    ...rest,
  }
}
