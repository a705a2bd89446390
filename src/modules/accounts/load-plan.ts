import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'

/** Returns the plan that an account and its projects share. */
export async function loadPlan(db: Kysely<DB>, accountId: string): Promise<Plan> {
  const account = await db
    .selectFrom('account')
    .select('plan')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return account.plan as Plan
}
