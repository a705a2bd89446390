import type { Transaction } from 'kysely'
import type { SegmentFilter } from '../contract/dashboard/segment.ts'
import type { DB } from '../database/tables.ts'
import { withoutDoubles } from './create-contact.ts'

type Renamed = { companyId: string; tag: string; newTag: string }

/**
 * A company's segments name a tag by its new name once all contacts have it. Until then whoever is not to have the
 * tag is to have neither: nobody whom a segment leaves out comes into it because they were renamed first.
 * Spec: Contacts › Tags.
 */
export async function renameInSegments(
  tx: Transaction<DB>,
  now: Date,
  { companyId, tag, newTag }: Renamed,
  { isDone }: { isDone: boolean },
): Promise<void> {
  const isIt = (one: string) => one.toLowerCase() === tag.toLowerCase()
  const rename = (tags: string[]) => withoutDoubles(tags.map((one) => (isIt(one) ? newTag : one)))
  const addNew = (tags: string[]) => (tags.some(isIt) ? withoutDoubles([...tags, newTag]) : tags)
  const segments = await tx
    .selectFrom('segment')
    .select(['id', 'filter'])
    .where('companyId', '=', companyId)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { id, filter: before } of segments) {
    const { tags, withoutTags, ...rest } = JSON.parse(before) as SegmentFilter
    const filter = JSON.stringify({
      ...(tags && { tags: isDone ? rename(tags) : tags }),
      ...(withoutTags && { withoutTags: isDone ? rename(withoutTags) : addNew(withoutTags) }),
      ...rest,
    })
    if (![...(tags ?? []), ...(withoutTags ?? [])].some(isIt)) continue
    await tx
      .updateTable('segment')
      .set({ filter, updatedAt: now })
      .where('id', '=', id)
      .where('companyId', '=', companyId)
      .execute()
  }
}
