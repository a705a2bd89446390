import type { Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import type { Alias } from './lock-customer.ts'

/**
 * Further ids of a contact, or of one that became part of it; one that is some contact's already stays theirs. The
 * customer is locked by the caller.
 */
export async function addAliases(
  tx: Transaction<DB>,
  deps: { now: Date },
  companyId: string,
  of: { contactId: string; mergedFrom: string | null },
  aliases: readonly Alias[],
  learntFrom: 'provider' | 'person' = 'provider',
): Promise<void> {
  if (aliases.length === 0) return
  await tx
    .insertInto('contactAlias')
    .values(
      aliases.map((alias) => ({ ...alias, ...of, companyId, learntFrom, createdAt: deps.now })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
