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

/** What a model can beside answering: have voice notes written down, and read images. */
export type ModelAbilities = { hears: boolean; sees: boolean }

/** What the usable models of the account can. */
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

const ABLE = {
  hears: sql`model.transcription_model is not null`,
  sees: sql`model.reads_images`,
}

type Operator = { transcriptionModel?: string | null; readsImages?: boolean } | null

/** Of a statement: whether a usable model of the account that `accountId` names can do this. */
export function ableModel(
  accountId: ReturnType<typeof sql>,
  operator: Operator,
  ability: keyof ModelAbilities,
) {
  const isOperators = ability === 'hears' ? operator?.transcriptionModel : operator?.readsImages
  return usableModel(accountId, Boolean(isOperators), ABLE[ability])
}

/** The same as a condition of a statement, for the account that `accountId` names. */
export function usableModel(
  accountId: ReturnType<typeof sql>,
  hasOperatorModel: boolean,
  isFit: ReturnType<typeof sql> = sql`true`,
) {
  return sql<boolean>`(exists (select from model where model.account_id = ${accountId}
      and model.is_on and model.broken is null and ${isFit})
    or (${hasOperatorModel} and not exists (select from model where model.account_id = ${accountId})))`
}
