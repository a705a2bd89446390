import type { OpeningHours } from '../../rules/flows/opening-hours.ts'

/** Parses the column of opening hours. Returns null where they are unknown. */
export function readOpeningHours(column: string | null): OpeningHours | null {
  return column === null ? null : (JSON.parse(column) as OpeningHours)
}
