import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { DASHBOARD_LIMITS } from '../../core/limits/http.ts'
import { factIssue } from '../../schemas/broken-rule.ts'
import { isUuid } from '../../rules/text/uuid.ts'

/** The query of a list: `?limit=1..100&cursor=`. The cursor is parsed to the id after which the page begins. */
export const PageQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(DASHBOARD_LIMITS.pageItems)
    .default(DASHBOARD_LIMITS.pageItemsDefault),
  cursor: z
    .string()
    .transform((cursor, check) => {
      const id = readCursor(cursor)
      if (id === null) {
        check.addIssue(factIssue(fact('wrong_cursor')))
        return z.NEVER
      }
      return id
    })
    .optional(),
})
export type PageQuery = z.output<typeof PageQuery>

/** A page of a list; `nextCursor` is null on the last one. */
export type Page<Item> = { items: Item[]; nextCursor: string | null }

/** A list that is short enough to be answered whole. */
export type List<Item> = { items: Item[] }

/**
 * Returns a page from rows that were ordered by id and queried with `limit + 1`. The additional row shows that there
 * is a next page.
 */
export function toPage<Row extends { id: string }, Item>(
  rows: readonly Row[],
  limit: number,
  view: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(view),
    nextCursor: rows.length > limit && last ? writeCursor(last.id) : null,
  }
}

function writeCursor(id: string): string {
  return btoa(id).replaceAll('=', '')
}

function readCursor(cursor: string): string | null {
  try {
    const id = atob(cursor)
    return isUuid(id) ? id : null
  } catch {
    return null
  }
}
