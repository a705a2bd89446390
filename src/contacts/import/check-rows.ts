import { sql, type Transaction } from 'kysely'
import type { DB } from '../../database/tables.ts'
import { fact } from '../../facts/fact.ts'
import type { Ids } from '../../ids.ts'
import { keysOfRow } from '../../rules/contacts/import-row.ts'
import type { ImportJob } from './view-import.ts'
import { writeFaults, type NumberedRow, type RowFault } from './write-faults.ts'

/**
 * Looks at one page of a file: writes down what is wrong with its rows, and which earlier rows they replace.
 * Returns how many rows are left out so far.
 */
export async function checkRows(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  job: ImportJob,
  rows: readonly NumberedRow[],
): Promise<{ leftOut: number }> {
  const faults: RowFault[] = rows.flatMap(({ number, faults: ofRow }) =>
    ofRow.map(({ target, problem }) => ({ row: number, target, isLeftOut: true, problem })),
  )
  const wrong = rows.filter(({ faults: ofRow }) => ofRow.length > 0).length
  const good = rows.filter(({ faults: ofRow }) => ofRow.length === 0)
  const last = new Map<string, number>()
  const replaced = new Map<number, number>()
  for (const { number, row } of good) {
    for (const key of keysOfRow(row)) {
      const earlier = last.get(key)
      if (earlier !== undefined) replaced.set(earlier, number)
      last.set(key, number)
    }
  }
  for (const { earlier, row } of await keepKeys(tx, job.id, last)) replaced.set(earlier, row)
  for (const [row, later] of replaced) {
    const problem = fact('import_double', { row: later })
    faults.push({ row, target: null, isLeftOut: true, problem })
  }
  await writeFaults(tx, deps, job, faults)
  return { leftOut: job.leftOut + wrong + replaced.size }
}

/** Notes which row is the last of each key; returns the rows of earlier pages that are so no more. */
async function keepKeys(
  tx: Transaction<DB>,
  importId: string,
  last: ReadonlyMap<string, number>,
): Promise<{ earlier: number; row: number }[]> {
  if (last.size === 0) return []
  const { rows } = await sql<{ earlier: number; row: number }>`
    with told as (
      select * from unnest(${[...last.keys()]}::text[], ${[...last.values()]}::integer[])
        as told (key, row)
    ), before as (
      select kept.row as earlier, told.row from contact_import_key kept join told using (key)
      where kept.import_id = ${importId}
    ), noted as (
      insert into contact_import_key (import_id, key, row)
      select ${importId}, key, row from told
      on conflict (import_id, key) do update set row = excluded.row
    )
    select earlier, row from before`.execute(tx)
  return rows
}

/** The last row of each key of these rows, as the check has found it. */
export async function lastRows(
  tx: Transaction<DB>,
  importId: string,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('contactImportKey')
    .select(['key', 'row'])
    .where('importId', '=', importId)
    .where('key', '=', (eb) => eb.fn.any(eb.val([...keys])))
    .execute()
  return new Map(rows.map(({ key, row }) => [key, row]))
}
