import type { CursorPosition } from '../../contract/dashboard/ordered-page.ts'
import { APPOINTMENT_LIMITS } from '../../core/limits/appointments.ts'

/** The appointments of one read: the first ones by start, or those after a position. */
export type ComingPart = { after: CursorPosition | undefined; limit: number }

/** The results that are wanted: all of them, or a number of them after a position. */
export type ComingPage = { cursor?: CursorPosition | undefined; limit?: number }

/**
 * Returns what `find` finds in upcoming appointments, by start. `read` reads them in parts, so that any number of them
 * can be searched.
 */
export async function findComing<Row extends { id: string; startsAt: Date }, Found>(
  read: (part: ComingPart) => Promise<readonly Row[]>,
  find: (row: Row) => Found | null,
  { cursor, limit = Infinity }: ComingPage = {},
): Promise<Found[]> {
  const all: Found[] = []
  let after = cursor
  for (;;) {
    const rows = await read({ after, limit: APPOINTMENT_LIMITS.comingPerRead })
    for (const row of rows) {
      const found = find(row)
      if (found !== null) all.push(found)
    }
    const last = rows.at(-1)
    if (!last || rows.length < APPOINTMENT_LIMITS.comingPerRead || all.length >= limit) {
      return all.slice(0, limit)
    }
    after = { by: last.startsAt.toISOString(), id: last.id }
  }
}
