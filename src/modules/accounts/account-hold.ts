import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { AccountHold } from '../../core/vocabulary/accounts.ts'

/** The refusal of a request for an account that moves to another installation, or has moved. */
export class AccountOnHold extends ServiceError {
  override name = 'AccountOnHold'

  constructor(hold: AccountHold) {
    if (hold === 'moved') super('account_moved', fact('account_moved'))
    else super('service_unavailable', fact('account_on_hold'))
  }
}

/** Checks that an account works. @throws AccountOnHold when it has a hold */
export function requireWorking(hold: string | null): void {
  if (hold !== null) throw new AccountOnHold(hold as AccountHold)
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
