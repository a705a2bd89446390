import type { Kysely } from 'kysely'
import type { AccountView } from '../../contract/dashboard/account.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'

/** Returns the view of an account. */
export async function loadAccount(
  db: Kysely<DB>,
  { accountId }: { accountId: string },
): Promise<AccountView> {
  const row = await db
    .selectFrom('account')
    .select(['id', 'name', 'plan', 'needsSecondFactor', 'createdAt'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return {
    id: row.id,
    name: row.name,
    plan: row.plan as Plan,
    needsSecondFactor: row.needsSecondFactor,
    createdAt: row.createdAt.toISOString(),
  }
}
