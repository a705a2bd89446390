/**
 * Rows are swept by the thousand: rows that refer to them are found by an index. Spec: Retention › Retention periods.
 */
import { expect, test } from 'vitest'
import { SWEEPS_OF_TABLES } from '../../src/workers/sweep-table.ts'
import { openWorld } from '../support/open-world.ts'

const world = await openWorld()

test('no row that is swept makes the database read all of another table', async () => {
  const { rows } = await world.database.db.pool.query<{ column: string }>(
    `select conrelid::regclass::text || '.' || attname as column
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid::regclass::text = any($1) and not exists (
      select from pg_index where indrelid = conrelid and indkey[0] = conkey[1])`,
    [Object.keys(SWEEPS_OF_TABLES)],
  )
  expect(rows).toEqual([])
})
