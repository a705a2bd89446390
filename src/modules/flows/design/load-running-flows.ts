import type { Kysely } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import { PLAN_LIMITS } from '../../../core/limits/accounts.ts'
import { flowsWithinPlan, type FlowOn } from '../../../rules/flows/flows-within-plan.ts'
import type { Plan } from '../../../core/vocabulary/accounts.ts'

/** Loads the company's flows that are published and switched on. */
export async function loadActiveFlows(db: Kysely<DB>, companyId: string): Promise<FlowOn[]> {
  const rows = await db
    .selectFrom('flow')
    .select(['id', 'firstPublishedAt'])
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .where('isOn', '=', true)
    .where('publishedVersionId', 'is not', null)
    .execute()
  return rows.map((row) => ({ id: row.id, firstPublishedAt: row.firstPublishedAt! }))
}

/**
 * Returns the ids of the company's flows that may start runs now: published, switched on and within the plan's
 * number. Spec: Concepts › Plans; reading N3.
 */
export async function loadRunningFlows(
  db: Kysely<DB>,
  companyId: string,
  plan: Plan,
): Promise<Set<string>> {
  return flowsWithinPlan(await loadActiveFlows(db, companyId), PLAN_LIMITS[plan].flows)
}
