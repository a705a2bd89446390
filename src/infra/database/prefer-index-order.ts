import { sql, type Kysely, type Transaction } from 'kysely'
import type { DB } from './tables.ts'

/**
 * Runs `read`, a single statement for the first rows in the order of an index, so that the planner walks that index.
 * The planner knows the size of an average endpoint or company, not of the largest one. For that one it would collect
 * and sort all rows to show one page. It costs two more round trips.
 */
export function readInIndexOrder<T>(
  db: Kysely<DB>,
  read: (tx: Transaction<DB>) => Promise<T>,
): Promise<T> {
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => {
      await preferIndexOrder(tx)
      return read(tx)
    })
}

/** Turns off bitmap scans for the rest of a transaction, so that the planner reads rows in the order of an index. */
export async function preferIndexOrder(tx: Transaction<DB>): Promise<void> {
  await sql`set local enable_bitmapscan = off`.execute(tx)
}

/**
 * Turns off sequential scans for the rest of a transaction that fills the tables it reads. A cached plan from when a
 * table was small would read the whole table until statistics are collected minutes later.
 */
export async function lookUpByIndexes(tx: Transaction<DB>): Promise<void> {
  await sql`set local enable_seqscan = off`.execute(tx)
}
