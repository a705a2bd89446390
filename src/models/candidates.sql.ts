import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import type { ModelKind } from '../vocabulary/models.ts'

/** A model of the account that may be asked. */
export type ModelRow = {
  id: string
  kind: ModelKind
  modelName: string
  baseUrl: string | null
  credential: string | null
  contextTokens: number
  transcriptionModel: string | null
  readsImages: boolean
  revision: number
}

export type Candidates = {
  /** In their order: those that are on and not broken. */
  models: ModelRow[]
  /** The account has set up one at least, whatever its state. */
  hasOwn: boolean
  /** By its Owner; null: the operator's number stands. */
  tokensPerDay: number | null
  /** Of the day, in and out. */
  usedTokens: number
}

/** All that is to be known of an account before a model is asked. `day` is UTC, as 2027-01-31. */
export async function readCandidates(
  db: Kysely<DB>,
  { accountId, day }: { accountId: string; day: string },
): Promise<Candidates> {
  type Row = { tokensPerDay: number | null; usedTokens: number } & (
    | ({ isOn: boolean; isBroken: boolean } & ModelRow)
    | { id: null }
  )
  const { rows } = await sql<Row>`
    select account.model_tokens_per_day as tokens_per_day,
      (select coalesce(sum(tokens_in + tokens_out), 0)::float8 from model_day
        where model_day.account_id = account.id and model_day.day = ${day}::date) as used_tokens,
      model.id, model.kind, model.model_name, model.base_url, model.credential,
      model.context_tokens, model.transcription_model, model.reads_images, model.revision, model.is_on, model.broken is not null as is_broken
    from account left join model on model.account_id = account.id
    where account.id = ${accountId}
    order by model.position
  `.execute(db)
  const own = rows.flatMap((row) => (row.id === null ? [] : [row]))
  return {
    models: own.filter(({ isOn, isBroken }) => isOn && !isBroken),
    hasOwn: own.length > 0,
    tokensPerDay: rows[0]?.tokensPerDay ?? null,
    usedTokens: rows[0]?.usedTokens ?? 0,
  }
}
