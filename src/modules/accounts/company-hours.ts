import type { OpeningHours } from '../../rules/flows/opening-hours.ts'

/** As the column holds them; null where they are not told. */
export function readOpeningHours(column: string | null): OpeningHours | null {
  return column === null ? null : (JSON.parse(column) as OpeningHours)
}
