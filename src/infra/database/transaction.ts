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
/** SQL states of a transaction that another one aborted. */
const ABORTED = new Set<unknown>([SERIALIZATION_FAILURE, DEADLOCK_DETECTED, RESULT_CHANGED])
/**
 * Unique indexes that two transactions violate when they create the same customer. The second one finds the customer
 * on its retry.
 */
const CUSTOMER_INDEXES = ['identifier_key', 'contact_whatsapp_id']
/** SQL states of a timeout: of a lock, of a statement, or of the pause between two statements. */
const TIMED_OUT = new Set<unknown>(['55P03', '57014', '25P03'])

/**
 * Runs `work` in one read-committed transaction, and repeats it up to five times when another transaction aborted it.
 * Causes are a deadlock, a serialization failure, a migration by another node, or a customer that was created twice.
 * So `work` must only use the database. Workers are notified after the commit.
 *
 * @throws what `work` throws
 */
export async function transaction<T>(
  db: Pick<Database, 'kysely' | 'afterCommit'>,
  work: (tx: Transaction<DB>) => Promise<T>,
): Promise<T> {
  return retryAborted(db, () =>
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
 * Runs `work`, a single statement that commits alone: it saves the round trips of a transaction, and holds its locks
 * for less time. It is repeated like a transaction.
 */
export async function oneStatement<T>(
  db: Pick<Database, 'kysely'>,
  work: (kysely: Kysely<DB>) => Promise<T>,
): Promise<T> {
  return retryAborted(db, () => work(db.kysely))
}

async function retryAborted<T>(db: Pick<Database, 'kysely'>, work: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await work()
    } catch (error) {
      if (retry === RETRIES) throw error
      if (await createMissingPartition(db.kysely, error)) continue
      if (!isAborted(error)) throw error
      await pause(2 ** retry * 5 * (0.5 + Math.random()))
    }
  }
}

function isAborted(error: unknown): boolean {
  return (
    ABORTED.has((error as { code?: unknown } | null)?.code) ||
    CUSTOMER_INDEXES.some((index) => isUniqueViolation(error, index))
  )
}

/**
 * Returns whether the error means that other transactions blocked the work for too long. The written values are not
 * at fault, so a later attempt may succeed.
 */
export function isLockTimeout(error: unknown): boolean {
  return isAborted(error) || TIMED_OUT.has((error as { code?: unknown } | null)?.code)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
