import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { factIssue } from '../../schemas/broken-rule.ts'
import { PageQuery, type Page } from './page.ts'
import { CONVERSATION_ID_BYTES } from '../../core/limits/messaging.ts'
import { DASHBOARD_LIMITS } from '../../core/limits/http.ts'

/** A cursor of a list that is not ordered by id: the last row's sort value as text, and its id. */
export type CursorPosition = { by: string; id: string }

/**
 * Returns a `PageQuery` for a list that is not ordered by id.
 * @param by the schema of the sort value in a cursor.
 * @param id the schema of a row's id.
 */
export function orderedPageQuery(by: z.ZodType<string>, id: z.ZodType<string> = PlaceId) {
  const form = z.tuple([by, id])
  return PageQuery.omit({ cursor: true }).extend({
    cursor: z
      .string()
      .transform((cursor, check) => {
        const place = readPlace(form, cursor)
        if (place) return place
        check.addIssue(factIssue(fact('wrong_cursor')))
        return z.NEVER
      })
      .optional(),
  })
}

const PlaceText = z
  .string()
  .max(CONVERSATION_ID_BYTES)
  .regex(/^[^\0]*$/)
const PlaceId = PlaceText.min(1)

/** An ISO time that PostgreSQL stores: it has no year 0 and refuses hundreds of digits. */
export const storableTime = z.iso
  .datetime()
  .max(DASHBOARD_LIMITS.cursorTimeChars)
  .regex(/^(?!0000)/)

/** A query for a list that is ordered by a name. */
export const NamedPageQuery = orderedPageQuery(PlaceText)
export type NamedPageQuery = z.output<typeof NamedPageQuery>

/** A query for a list that is ordered by a nullable time. */
export const OrderedPageQuery = orderedPageQuery(z.union([z.literal('infinity'), storableTime]))

/** Returns a page from rows that were queried with `limit + 1`. The additional row shows that there is a next page. */
export function toOrderedPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => CursorPosition,
  view: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const nextCursor = rows.length > limit && last ? writePlace(placeOf(last)) : null
  return { items: shown.map(view), nextCursor }
}

function writePlace({ by, id }: CursorPosition): string {
  return Buffer.from(JSON.stringify([by, id])).toString('base64url')
}

function readPlace(form: z.ZodType<[string, string]>, cursor: string): CursorPosition | null {
  try {
    const read = form.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return read.success ? { by: read.data[0], id: read.data[1] } : null
  } catch {
    return null
  }
}
