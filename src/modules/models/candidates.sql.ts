import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { ModelKind, Thinking, ThinkingSwitch } from '../../core/vocabulary/models.ts'

/** A model of the account that may be called. */
export type ModelRow = {
  id: string
  kind: ModelKind
  modelName: string
  baseUrl: string | null
  credential: string | null
  contextTokens: number
  transcriptionModel: string | null
  readsImages: boolean
  thinking: Thinking
  thinkingSwitch: ThinkingSwitch | null
  reasonsAnyway: boolean
  revision: number
}

/** The models and the allowance of an account, as a call needs them. */
export type Candidates = {
  /** The models that are on and not broken, in their order. */
  models: ModelRow[]
  /** True when the account has set up at least one model, whatever its state. */
  hasOwn: boolean
  /** The limit that its Owner has set. Null while the operator's limit applies. */
  tokensPerDay: number | null
  /** Tokens of the day, input and output. */
  usedTokens: number
}

/** A row of the query, which returns at least one row for every account. */
export type CandidateRow = { tokensPerDay: number | null; usedTokens: number } & (
  | ({ isOn: boolean; isBroken: boolean } & ModelRow)
  | { id: null }
)

/** Loads an account's models, its allowance and its usage of a day, for a call. `day` is UTC, as 2027-01-31. */
export async function readCandidates(
  db: Kysely<DB>,
  { accountId, day }: { accountId: string; day: string },
): Promise<Candidates> {
  const { rows } = await candidatesQuery(sql`${accountId}::uuid`, day).execute(db)
  return candidatesIn(rows)
}

/** Returns the query of `readCandidates` as a part of another statement, for the account that `accountId` names. */
export function candidatesQuery(accountId: RawBuilder<unknown>, day: string) {
  return sql<CandidateRow>`
    select of_account.model_tokens_per_day as "tokensPerDay",
      (select coalesce(sum(tokens_in + tokens_out), 0)::float8 from model_day
        where model_day.account_id = of_account.id and model_day.day = ${day}::date) as "usedTokens",
      model.id, model.kind, model.model_name as "modelName", model.base_url as "baseUrl",
      model.credential, model.context_tokens as "contextTokens", model.revision,
      model.transcription_model as "transcriptionModel", model.reads_images as "readsImages",
      model.thinking, model.thinking_switch as "thinkingSwitch", model.reasons_anyway as "reasonsAnyway",
      model.is_on as "isOn", model.broken is not null as "isBroken"
    from account of_account left join model on model.account_id = of_account.id
    where of_account.id = ${accountId}
    order by model.position`
}

/** Converts the rows of `candidatesQuery`. */
export function candidatesIn(rows: readonly CandidateRow[]): Candidates {
  const own = rows.flatMap((row) => (row.id === null ? [] : [row]))
  return {
    models: own.filter(({ isOn, isBroken }) => isOn && !isBroken),
    hasOwn: own.length > 0,
    tokensPerDay: rows[0]?.tokensPerDay ?? null,
    usedTokens: rows[0]?.usedTokens ?? 0,
  }
}
