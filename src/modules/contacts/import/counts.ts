import type { DecidedRow } from './import-row-store.sql.ts'
import type { ImportJob } from './view-import.ts'

export type Counts = Pick<ImportJob, 'created' | 'updated' | 'unchanged' | 'combined' | 'leftOut'>

/** The counts of an import without rows. */
export const NO_COUNTS: Counts = { created: 0, updated: 0, unchanged: 0, combined: 0, leftOut: 0 }

/** Adds the outcomes of rows to an import's counts. */
export function addCounts(before: Counts, rows: readonly Pick<DecidedRow, 'outcome'>[]): Counts {
  const { created, updated, unchanged, combined, leftOut } = before
  const after = { created, updated, unchanged, combined, leftOut }
  for (const { outcome } of rows) {
    if (outcome === 'left_out') after.leftOut += 1
    else after[outcome] += 1
  }
  return after
}
