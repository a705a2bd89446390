/** Locks that another transaction holds, as a slow request of another node does. */
import { sql, type ControlledTransaction } from 'kysely'
import { customerLockKey } from '../../../src/messaging/lock-customer.ts'
import type { DB } from '../../../src/database/tables.ts'
import { countBlockedBy } from '../blocked.ts'
import { waitUntil } from '../wait.ts'
import type { World } from '../world.ts'
import { storeOf, type Recorded } from './records.ts'

const LOCKS = {
  'the conversations': sql`select from conversation for update`,
  'new conversations': sql`lock table conversation in share row exclusive mode`,
  'the contacts': sql`lock table contact in access exclusive mode`,
  'the templates': sql`lock table template in access exclusive mode`,
} as const

/** Records that can be locked: all of a kind, one of them, or what is known of a customer's number. */
export type Lockable =
  | keyof typeof LOCKS
  | { conversationId: string }
  | { contactId: string }
  | { recipientsOf: string }
  | { companyId: string; phone: string }

export type Lock = AsyncDisposable & {
  /** The records as the transaction reads and writes them that holds the lock. */
  inside: Recorded
  /** Waits until so many sessions wait for the lock. */
  blocks(what: string, sessions?: number): Promise<void>
  /** Commits what the transaction wrote, and ends the lock. */
  release(): Promise<void>
}

/** Locks records in a transaction that stays open until the lock is released, or its variable goes. */
export async function holdLock(
  { service, database: { db } }: Pick<World, 'service' | 'database'>,
  what: Lockable,
): Promise<Lock> {
  const { clock, ids } = service.context
  // A connection of the test's own: those of the service are few, and are to wait.
  const transaction = await db.kysely.startTransaction().execute()
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
  await lock(transaction, what)
  const release = async () => {
    if (!transaction.isCommitted) await transaction.commit().execute()
  }
  return {
    inside: { service: { context: { clock, ids, db: { kysely: transaction } } } },
    blocks: (waits, sessions = 1) =>
      waitUntil(waits, async () => (await countBlockedBy(db.pool, rows[0]!.pid)) >= sessions),
    release,
    [Symbol.asyncDispose]: release,
  }
}

async function lock(transaction: ControlledTransaction<DB>, what: Lockable): Promise<void> {
  if (typeof what === 'string') {
    await LOCKS[what].execute(transaction)
  } else if ('conversationId' in what) {
    await sql`select from conversation where id = ${what.conversationId} for update`.execute(
      transaction,
    )
  } else if ('contactId' in what) {
    await sql`select from contact where id = ${what.contactId} for update`.execute(transaction)
  } else if ('recipientsOf' in what) {
    await sql`select from broadcast_recipient where broadcast_id = ${what.recipientsOf}
      for update`.execute(transaction)
  } else {
    const customer = { kind: 'number', value: what.phone.slice(1) } as const
    const key = String(customerLockKey(what.companyId, customer))
    await sql`select pg_advisory_xact_lock(${key})`.execute(transaction)
  }
}

/** Returns how many sessions of the database wait for a lock. */
export async function countWaiting(world: Recorded): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(storeOf(world))
  return rows[0]!.n
}
