import { sql, type SelectQueryBuilder } from 'kysely'

/**
 * Returns the query for one page of a list by an id, with one more row, which shows whether another page follows.
 * @param by the column of the id; `newest` first, or the oldest
 */
export function pageOf<DB, Tables extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  [by, first]: [by: string, first: 'newest' | 'oldest'],
): SelectQueryBuilder<DB, Tables, Row> {
  const id = sql.ref(by)
  const [beyond, order] = first === 'newest' ? [sql`<`, 'desc' as const] : [sql`>`, 'asc' as const]
  const all = query.orderBy(id, order).limit(limit + 1)
  return cursor === undefined ? all : all.where(sql<boolean>`${id} ${beyond} ${cursor}`)
}
