import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { CustomerRef } from '../channels/channel-adapter.ts'
import type { DB } from '../database/tables.ts'
import { cleanText } from '../rules/text/json-text.ts'

export type Alias = { kind: 'number' | 'business_scoped' | 'lid' | 'provider'; value: string }

/** Every id of a customer as the store keeps them; the one to file a conversation under first. */
export function aliasesOf(customer: CustomerRef, route: string): Alias[] {
  const { number, businessScopedId, lid, providerUserId } = customer
  const aliases: { kind: Alias['kind']; value: string | undefined }[] = [
    { kind: 'number', value: number },
    { kind: 'business_scoped', value: businessScopedId },
    { kind: 'lid', value: lid },
    { kind: 'provider', value: providerUserId && `${route}:${providerUserId}` },
  ]
  return aliases.flatMap(({ kind, value }) => (value ? [{ kind, value: cleanText(value) }] : []))
}

/** The number of the advisory lock on one id of a customer. */
export function customerLockKey(companyId: string, { kind, value }: Alias): bigint {
  return lockNumber(`${companyId}|${kind}|${value}`)
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
  aliases: readonly Alias[],
): Promise<void> {
  await lockCustomers(tx, [{ companyId, aliases }])
}

/** The same for many, however they are named. */
export async function lockCustomers(
  tx: Transaction<DB>,
  customers: readonly { companyId: string; aliases: readonly Alias[] }[],
): Promise<void> {
  await lockNumbers(
    tx,
    customers.flatMap(({ companyId, aliases }) =>
      aliases.map((alias) => customerLockKey(companyId, alias)),
    ),
  )
}

/** Isolation: in the order of the numbers, so that whoever takes some of the same only waits. */
export async function lockNumbers(tx: Transaction<DB>, numbers: readonly bigint[]): Promise<void> {
  const keys = numbers.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map(String)
  await sql`select pg_advisory_xact_lock(key) from unnest(${keys}::bigint[]) as key`.execute(tx)
}
