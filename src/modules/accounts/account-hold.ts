import { sql, type Kysely, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { auditedTransaction } from './audited-transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Context } from '../../infra/context.ts'
import type { AccountHold } from '../../core/vocabulary/accounts.ts'

/** The refusal of a request for an account that moves to another installation, or has moved. */
export class AccountOnHold extends ServiceError {
  override name = 'AccountOnHold'

  constructor(hold: AccountHold) {
    if (hold === 'moved') super('account_moved', fact('account_moved'))
    else super('service_unavailable', fact('account_on_hold'))
  }
}

/**
 * Throws unless an account works, which it does not while it moves to another installation.
 * @throws AccountOnHold when it has a hold
 */
export function requireWorking(hold: string | null): void {
  if (hold !== null) throw new AccountOnHold(hold as AccountHold)
}

/** Puts an account on hold before it is exported, and records the export in its audit. It exports nothing itself. */
export async function holdForExport(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  accountId: string,
): Promise<void> {
  const by = { accountId, personId: null }
  await auditedTransaction({ db, ids, clock }, by, async (tx, audit) => {
    await setHold(tx, { accountId, hold: 'leaving' })
    await audit('account.exported', { id: accountId })
  })
}

/**
 * Ends the hold of an account, and records that in its audit. In the same transaction `unpark` makes the account's work
 * due again; returns its result, the number of rows.
 */
export async function endHold(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  accountId: string,
  unpark: (tx: Transaction<DB>) => Promise<number>,
): Promise<number> {
  const by = { accountId, personId: null }
  return auditedTransaction({ db, ids, clock }, by, async (tx, audit) => {
    await setHold(tx, { accountId, hold: null })
    await audit('account.released', { id: accountId })
    return unpark(tx)
  })
}

/** Puts an account on hold, or lets it work again. */
export async function setHold(
  db: Kysely<DB>,
  { accountId, hold }: { accountId: string; hold: AccountHold | null },
): Promise<void> {
  await sql`
    update account set hold = ${hold}, hold_since = case when ${hold}::text is not null then now() end
    where id = ${accountId}`.execute(db)
}
