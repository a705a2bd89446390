import { sql } from 'kysely'
import type { Context } from '../../infra/context.ts'
import { toOrderedPage, type NamedPageQuery } from '../../contract/dashboard/ordered-page.ts'
import type { Page } from '../../contract/dashboard/page.ts'

/** Returns a page of the tags of the company's contacts by name, each in one of its spellings. */
export async function listTags(
  { db }: Pick<Context, 'db'>,
  { companyId, limit, cursor }: NamedPageQuery & { companyId: string },
): Promise<Page<{ tag: string }>> {
  const beyond = cursor ? sql`and lower(tag) > ${cursor.by}` : sql``
  const { rows } = await sql<{ tag: string; folded: string }>`
    select min(tag) as tag, lower(tag) as folded from contact_tag
    where company_id = ${companyId} ${beyond}
    group by lower(tag) order by lower(tag) limit ${limit + 1}`.execute(db.kysely)
  return toOrderedPage(
    rows,
    limit,
    ({ tag, folded }) => ({ by: folded, id: tag }),
    ({ tag }) => ({ tag }),
  )
}
