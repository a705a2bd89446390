import type { Context } from '../../infra/context.ts'

/** Returns all tags of the company's contacts by name, each in one of its spellings. */
export async function listTags(
  { db }: Pick<Context, 'db'>,
  { companyId }: { companyId: string },
): Promise<{ items: { tag: string }[] }> {
  const rows = await db.kysely
    .selectFrom('contactTag')
    .select('tag')
    .where('companyId', '=', companyId)
    .orderBy('tag')
    .execute()
  const seen = new Set<string>()
  const items = rows.filter(({ tag }) => {
    const isNew = !seen.has(tag.toLowerCase())
    seen.add(tag.toLowerCase())
    return isNew
  })
  return { items: items.toSorted((a, b) => a.tag.localeCompare(b.tag)) }
}
