import { sql } from 'kysely'
import type { ModelDeps } from './model-access.ts'

/**
 * Whether the account has a model that can be asked: one of its own that is on and not broken, or the
 * operator's where it has set up none. Without one the assistant is off. Spec: Assistant › Models.
 */
export async function hasUsableModel(
  { db, models }: Pick<ModelDeps, 'db' | 'models'>,
  accountId: string,
): Promise<boolean> {
  const { rows } = await sql<{ isUsable: boolean }>`
    select ${usableModel(sql`${accountId}`, models.operator() !== null)} as is_usable
  `.execute(db.kysely)
  return rows[0]!.isUsable
}

/** The same as a condition of a statement, for the account that `accountId` names. */
export function usableModel(accountId: ReturnType<typeof sql>, hasOperatorModel: boolean) {
  return sql<boolean>`(exists (select from model where model.account_id = ${accountId}
      and model.is_on and model.broken is null)
    or (${hasOperatorModel} and not exists (select from model where model.account_id = ${accountId})))`
}
