import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Identifier } from '../../rules/identity/identifier.ts'

/** What of an identifier names its lock. */
export type CustomerLock = Pick<Identifier, 'kind' | 'key'>

/** The number of the advisory lock on one id of a customer. */
export function customerLockKey(companyId: string, { kind, key }: CustomerLock): bigint {
  return lockNumber(`${companyId}|${kind}|${key}`)
}

/** The number of the advisory lock on whatever is named so. */
export function lockNumber(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigInt64BE()
}

/**
 * Holds all that concerns one customer of a company until the transaction ends, whichever of their
 * ids a request knows them by: two first messages at once make one contact and one conversation.
 *
 * Isolation: transaction-level advisory locks on each id, taken in one order. Two customers whose ids
 * hash alike only wait for each other.
 */
export async function lockCustomer(
  tx: Transaction<DB>,
  companyId: string,
  identifiers: readonly CustomerLock[],
): Promise<void> {
  await lockCustomers(tx, [{ companyId, identifiers }])
}

/** The same for many, however they are named. */
export async function lockCustomers(
  tx: Transaction<DB>,
  customers: readonly { companyId: string; identifiers: readonly CustomerLock[] }[],
): Promise<void> {
  await lockNumbers(
    tx,
    customers.flatMap(({ companyId, identifiers }) =>
      identifiers.map((identifier) => customerLockKey(companyId, identifier)),
    ),
  )
}

/** Isolation: in the order of the numbers, so that whoever takes some of the same only waits. */
export async function lockNumbers(tx: Transaction<DB>, numbers: readonly bigint[]): Promise<void> {
  const keys = numbers.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map(String)
  await sql`select pg_advisory_xact_lock(key) from unnest(${keys}::bigint[]) as key`.execute(tx)
}
