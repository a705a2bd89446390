import type { Kysely } from 'kysely'
import type { Allowance } from '../../contract/dashboard/usage.ts'
import type { DB } from '../../infra/database/tables.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { DAY_MS } from '../../core/limits/units.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'
import { readCallDays, readTemplateDays } from './read-usage.sql.ts'

/** Reads how much of its daily allowances an account has used. */
export async function readAllowances(
  db: Kysely<DB>,
  of: { accountId: string; companyId: string },
  now: Date,
): Promise<{ automatedTemplates: Allowance; calls: Allowance }> {
  const begins = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const resetsAt = new Date(begins + DAY_MS).toISOString()
  const today = new Date(begins).toISOString().slice(0, 10)
  const account = await db
    .selectFrom('account')
    .select(['plan', 'templatesPerDay'])
    .where('id', '=', of.accountId)
    .executeTakeFirstOrThrow()
  const plan = account.plan as Plan
  const usedOf = (days: readonly { day: string; used: number }[]) =>
    days.find(({ day }) => day === today)?.used ?? 0
  return {
    automatedTemplates: {
      used: usedOf(await readTemplateDays(db, of, today)),
      limit: account.templatesPerDay ?? PLAN_LIMITS[plan].templatesPerDay,
      resetsAt,
    },
    calls: {
      used: usedOf(await readCallDays(db, of, today)),
      limit: CALL_LIMITS.perAccountPerDay,
      resetsAt,
    },
  }
}
