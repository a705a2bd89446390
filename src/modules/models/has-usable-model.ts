import { sql } from 'kysely'
import type { ModelDeps } from './model-access.ts'

/**
 * Returns whether the account can call a model, its own or the operator's; without one the assistant is off. An
 * account that has set up models uses those that are on and not broken, any other account the operator's.
 * Spec: Assistant › Models.
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

/** The abilities of models besides answering: transcribing voice notes, and reading images. */
export type ModelAbilities = { hears: boolean; sees: boolean }

/** Returns for each ability whether at least one usable model of the account has it. */
export async function readAbilities(
  { db, models }: Pick<ModelDeps, 'db' | 'models'>,
  accountId: string,
): Promise<ModelAbilities> {
  const operator = models.operator()
  const { rows } = await sql<ModelAbilities>`
    select ${ableModel(sql`${accountId}`, operator, 'hears')} as hears,
      ${ableModel(sql`${accountId}`, operator, 'sees')} as sees`.execute(db.kysely)
  return rows[0]!
}

/** The SQL condition for each ability. */
const ABLE = {
  hears: sql`model.transcription_model is not null`,
  sees: sql`model.reads_images`,
}

type Operator = { transcriptionModel?: string | null; readsImages?: boolean } | null

/** Returns the SQL condition that the account `accountId` has a usable model with this ability. */
export function ableModel(
  accountId: ReturnType<typeof sql>,
  operator: Operator,
  ability: keyof ModelAbilities,
) {
  const isOperators = ability === 'hears' ? operator?.transcriptionModel : operator?.readsImages
  return usableModel(accountId, Boolean(isOperators), ABLE[ability])
}

/**
 * Returns the SQL condition that the account `accountId` can call a model: one it has set up for which `isFit` holds,
 * or the operator's if it set up none. `isFit` does not test the operator's: `hasOperatorModel` states whether there is
 * one that is fit.
 */
export function usableModel(
  accountId: ReturnType<typeof sql>,
  hasOperatorModel: boolean,
  isFit: ReturnType<typeof sql> = sql`true`,
) {
  return sql<boolean>`(exists (select from model where model.account_id = ${accountId}
      and model.is_on and model.broken is null and ${isFit})
    or (${hasOperatorModel} and not exists (select from model where model.account_id = ${accountId})))`
}
