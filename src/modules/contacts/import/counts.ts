import type { DecidedRow } from './import-row-store.sql.ts'
import type { ImportJob } from './view-import.ts'

/** The number of an import's rows by outcome. */
export type Counts = Pick<ImportJob, 'created' | 'updated' | 'unchanged' | 'combined' | 'leftOut'>

/** The counts of an import before its first row. */
export const NO_COUNTS: Counts = { created: 0, updated: 0, unchanged: 0, combined: 0, leftOut: 0 }

/** Returns an import's counts with the outcomes of additional rows. */
export function addCounts(before: Counts, rows: readonly Pick<DecidedRow, 'outcome'>[]): Counts {
  const { created, updated, unchanged, combined, leftOut } = before
  const after = { created, updated, unchanged, combined, leftOut }
  for (const { outcome } of rows) {
    if (outcome === 'left_out') after.leftOut += 1
    else after[outcome] += 1
  }
  return after
}
