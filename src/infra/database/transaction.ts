import type { Kysely, Transaction } from 'kysely'
import { withAfterCommit } from './after-commit.ts'
import type { Database } from './connect.ts'
import { createMissingPartition } from './missing-partition.ts'
import { isUniqueViolation } from './is-unique-violation.ts'
import { RESULT_CHANGED } from './prepare-statements.ts'
import type { DB } from './tables.ts'

const RETRIES = 5
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const BROKEN_OFF = new Set<unknown>([SERIALIZATION_FAILURE, DEADLOCK_DETECTED, RESULT_CHANGED])
/** Of two transactions that meet one customer at the same moment, the second finds the customer when it is run again. */
const MET_TWICE = ['identifier_key', 'contact_whatsapp_id']
/** A lock, a statement or the pause between two statements took longer than a session may. */
const OUT_OF_TIME = new Set<unknown>(['55P03', '57014', '25P03'])

/**
 * Runs `work` in one read-committed transaction. When the database had to break it off for the sake
 * of another one (deadlock, serialization failure, a migration of another node, one customer met twice), it is run again, up to five times: `work` must
 * do nothing but talk to the database. What it notes as work to be done is told to the duties after
 * the commit. Throws what `work` throws.
 */
export async function transaction<T>(
  db: Pick<Database, 'kysely' | 'afterCommit'>,
  work: (tx: Transaction<DB>) => Promise<T>,
): Promise<T> {
  return untilNotBrokenOff(db, () =>
    withAfterCommit(db, (begun, committing) =>
      db.kysely
        .transaction()
        .setIsolationLevel('read committed')
        .execute(async (tx) => {
          begun(tx)
          const result = await work(tx)
          committing()
          return result
        }),
    ),
  )
}

/**
 * Runs `work`, a single statement that commits by itself: it saves the round trips of a transaction,
 * and its locks are not held over one. Run again as a transaction is.
 */
export async function oneStatement<T>(
  db: Pick<Database, 'kysely'>,
  work: (kysely: Kysely<DB>) => Promise<T>,
): Promise<T> {
  return untilNotBrokenOff(db, () => work(db.kysely))
}

async function untilNotBrokenOff<T>(
  db: Pick<Database, 'kysely'>,
  work: () => Promise<T>,
): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await work()
    } catch (error) {
      if (retry === RETRIES) throw error
      if (await createMissingPartition(db.kysely, error)) continue
      if (!isBrokenOff(error)) throw error
      await pause(2 ** retry * 5 * (0.5 + Math.random()))
    }
  }
}

function isBrokenOff(error: unknown): boolean {
  return (
    BROKEN_OFF.has((error as { code?: unknown } | null)?.code) ||
    MET_TWICE.some((index) => isUniqueViolation(error, index))
  )
}

/**
 * Whether others were in the way for so long that the work was given up: made again later, it may well
 * be done. The values that were written are not at fault.
 */
export function isLockTimeout(error: unknown): boolean {
  return isBrokenOff(error) || OUT_OF_TIME.has((error as { code?: unknown } | null)?.code)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
