import type { Kysely, Transaction } from 'kysely'
import type { Database } from './connect.ts'
import { makeMissingDay } from './missing-day.ts'
import { RESULT_CHANGED } from './prepare-statements.ts'
import type { DB } from './tables.ts'

const RETRIES = 5
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'

/**
 * Runs `work` in one read-committed transaction. When the database had to break it off for the sake
 * of another one (deadlock, serialization failure, a migration of another node), it is run again, up to five times: `work` must
 * do nothing but talk to the database. Throws what `work` throws.
 */
export async function transaction<T>(
  db: Pick<Database, 'kysely'>,
  work: (tx: Transaction<DB>) => Promise<T>,
): Promise<T> {
  return untilNotBrokenOff(db, () =>
    db.kysely.transaction().setIsolationLevel('read committed').execute(work),
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
      if (await makeMissingDay(db.kysely, error)) continue
      if (!isBrokenOff(error)) throw error
      await pause(2 ** retry * 5 * (0.5 + Math.random()))
    }
  }
}

function isBrokenOff(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED || code === RESULT_CHANGED
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
