/** Locks that another transaction holds, as a slow request of another node does. */
import { sql, type ControlledTransaction } from 'kysely'
import { customerLockKey } from '../../../src/modules/messaging/lock-customer.ts'
import { numberIdentifier } from '../../../src/rules/identity/identifier.ts'
import type { Database } from '../../../src/infra/database/connect.ts'
import type { DB } from '../../../src/infra/database/tables.ts'
import { countBlockedBy } from '../blocked.ts'
import { waitUntil } from '../wait.ts'
import type { World } from '../world.ts'
import { storeOf, within, type Recorded } from './records.ts'

const LOCKS = {
  /** Locks nothing: for transactions whose own writes through `inside` hold the locks. */
  nothing: sql`select`,
  'the conversations': sql`select from conversation for update`,
  'new conversations': sql`lock table conversation in share row exclusive mode`,
  'the contacts': sql`lock table contact in access exclusive mode`,
  'the templates': sql`lock table template in access exclusive mode`,
  'the companies': sql`select from company for update`,
  'looking companies up': sql`lock table company in access exclusive mode`,
  'the connections to APIs': sql`select from api_connection for share`,
  'the appointments': sql`select from appointment for update`,
  'the words of knowledge': sql`select from knowledge_term for update`,
  'the opening changes': sql`select from opening_change for update`,
} as const

/** Records that can be locked: all of a kind, one of them, or what is known of a customer's number. */
export type Lockable =
  | keyof typeof LOCKS
  | { conversationId: string }
  | { contactId: string }
  | { runId: string }
  | { recipientsOf: string }
  | { companyId: string; phone: string }
  | { remindersOf: string }

export type Lock = AsyncDisposable & {
  /** The records as the transaction reads and writes them that holds the lock. */
  inside: Recorded
  /** Waits until this number of sessions wait for the lock. */
  blocks(what: string, sessions?: number): Promise<void>
  /** Commits what the transaction wrote, and ends the lock. */
  release(): Promise<void>
}

/**
 * Begins a transaction that has written something and stays open until it is ended, or its variable goes out of
 * scope.
 */
export async function openTransaction({ kysely }: Pick<Database, 'kysely'>) {
  const transaction = await kysely.startTransaction().execute()
  await sql`create temporary table written (it integer) on commit drop`.execute(transaction)
  const end = async () => {
    if (!transaction.isCommitted) await transaction.commit().execute()
  }
  return {
    inside: ({ service }: Pick<World, 'service'>) => within({ service }, transaction),
    end,
    [Symbol.asyncDispose]: end,
  }
}

/** Locks records in a transaction that stays open until the lock is released, or its variable goes out of scope. */
export async function holdLock(
  { service, database: { db } }: Pick<World, 'service' | 'database'>,
  what: Lockable,
): Promise<Lock> {
  // The test uses a separate connection: the service has few, and these have to wait.
  const transaction = await db.kysely.startTransaction().execute()
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
  await lock(transaction, what)
  const release = async () => {
    if (!transaction.isCommitted) await transaction.commit().execute()
  }
  return {
    inside: within({ service }, transaction),
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
  } else if ('runId' in what) {
    await sql`select from flow_run where id = ${what.runId} for update`.execute(transaction)
  } else if ('recipientsOf' in what) {
    await sql`select from broadcast_recipient where broadcast_id = ${what.recipientsOf}
      for update`.execute(transaction)
  } else if ('remindersOf' in what) {
    await sql`select pg_advisory_xact_lock(
      hashtextextended('reminders of ' || ${what.remindersOf}, 0))`.execute(transaction)
  } else {
    const customer = numberIdentifier(what.phone.slice(1))
    const key = String(customerLockKey(what.companyId, customer))
    await sql`select pg_advisory_xact_lock(${key})`.execute(transaction)
  }
}

export async function countWaiting(world: Recorded): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(storeOf(world))
  return rows[0]!.n
}

/** Returns how many sessions of the database listen for notifications of other processes. */
export async function countListening(db: Recorded['service']['context']['db']): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and query ilike 'listen%'`.execute(db.kysely)
  return rows[0]!.n
}

/** Returns how many deadlocks the database has ended so far. */
export async function countDeadlocks(world: Recorded): Promise<number> {
  const { rows } = await sql<{ deadlocks: string }>`
    select pg_stat_force_next_flush(), deadlocks from pg_stat_database
    where datname = current_database()`.execute(storeOf(world))
  return Number(rows[0]!.deadlocks)
}

/**
 * Returns whether no session has worked for a moment. A process that is paused while it works keeps the locks of its
 * transaction.
 */
export async function sessionsAreIdle(world: World): Promise<boolean> {
  const { rows } = await world.database.db.pool.query(
    `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and (xact_start is not null or state_change > clock_timestamp() - interval '100 ms')`,
  )
  return rows.length === 0
}
