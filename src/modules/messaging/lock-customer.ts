import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Identifier } from '../../rules/identity/identifier.ts'

/** The parts of an identifier that name its lock. */
export type CustomerLock = Pick<Identifier, 'kind' | 'key'>

/** Returns the advisory lock key of one identifier of a customer. */
export function customerLockKey(companyId: string, { kind, key }: CustomerLock): bigint {
  return advisoryLockKey(`${companyId}|${kind}|${key}`)
}

/** Returns the advisory lock key of a name: the first 64 bits of its SHA-256. */
export function advisoryLockKey(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigInt64BE()
}

/**
 * Locks a customer of a company until the transaction ends, by all of the given identifiers: two concurrent first
 * messages create one contact and one conversation.
 *
 * Isolation: transaction-level advisory locks on each id, in one order. Two customers whose ids have the same
 * hash only wait for each other.
 */
export async function lockCustomer(
  tx: Transaction<DB>,
  companyId: string,
  identifiers: readonly CustomerLock[],
): Promise<void> {
  await lockCustomers(tx, [{ companyId, identifiers }])
}

/** Locks any number of customers as `lockCustomer` does, in one order. */
export async function lockCustomers(
  tx: Transaction<DB>,
  customers: readonly { companyId: string; identifiers: readonly CustomerLock[] }[],
): Promise<void> {
  await takeAdvisoryLocks(
    tx,
    customers.flatMap(({ companyId, identifiers }) =>
      identifiers.map((identifier) => customerLockKey(companyId, identifier)),
    ),
  )
}

/**
 * Takes the advisory locks with these keys until the transaction ends.
 *
 * Isolation: in ascending order, so that transactions that share some do not deadlock.
 */
export async function takeAdvisoryLocks(
  tx: Transaction<DB>,
  numbers: readonly bigint[],
): Promise<void> {
  const keys = numbers.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map(String)
  await sql`select pg_advisory_xact_lock(key) from unnest(${keys}::bigint[]) as key`.execute(tx)
}
