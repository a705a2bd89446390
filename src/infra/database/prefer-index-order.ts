import { sql, type Kysely, type Transaction } from 'kysely'
import type { DB } from './tables.ts'

/**
 * Reads the first rows of an order that an index has, and no more than those. The planner knows what
 * an average endpoint or company has, not what the largest has: for that one it would createBatcher and sort
 * all that it ever had, to show a page. One statement's worth of reading; costs two round trips more.
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

/** Turns off bitmap scans for the rest of a transaction. */
export async function preferIndexOrder(tx: Transaction<DB>): Promise<void> {
  await sql`set local enable_bitmapscan = off`.execute(tx)
}

/**
 * Looks rows up by indexes for what is left of a transaction that itself fills the tables it reads. A plan that is made
 * while a table is small, and kept, would read all of the table until statistics are made minutes later.
 */
export async function lookUpByIndexes(tx: Transaction<DB>): Promise<void> {
  await sql`set local enable_seqscan = off`.execute(tx)
}
