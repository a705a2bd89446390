import { sql, type Kysely, type Selectable } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import type { ModelsView, ModelUsage, ModelView } from '../../contract/dashboard/model.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { DB, Model as ModelTable } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { parseFact } from '../../core/facts/stored-fact.ts'
import { MODEL_LIMITS } from '../../core/limits/models.ts'
import { RETENTION } from '../../core/limits/retention.ts'
import { ServiceError } from '../../core/service-error.ts'
import type {
  ModelKind,
  ModelPurpose,
  Thinking,
  ThinkingSwitch,
} from '../../core/vocabulary/models.ts'
import { readCandidates } from './candidates.sql.ts'
import type { ModelDeps } from './model-access.ts'
import { hostOfModel, type ModelSetUp } from './open-model.ts'

/** A row of the table of models. */
export type StoredModel = Selectable<ModelTable>

/** Returns the account's models in their order, the operator's model, and the account's allowance with today's usage. */
export async function listModels(
  {
    db,
    clock,
    models,
    formatFact,
  }: Pick<ModelDeps, 'db' | 'clock' | 'models'> & { formatFact: FormatFact },
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<ModelsView> {
  const day = clock.now().toISOString().slice(0, 10)
  const [rows, { tokensPerDay, usedTokens }] = await Promise.all([
    readModels(db.kysely, accountId),
    readCandidates(db.kysely, { accountId, day }),
  ])
  const operator = models.operator()
  const max = models.tokensPerDay
  return {
    items: rows.map((row) => viewModel(row, formatFact)),
    max: MODEL_LIMITS.perAccount,
    operator: operator && { name: operator.modelName, isScripted: operator.isScripted },
    allowance: {
      tokensPerDay: Math.min(tokensPerDay ?? max, max),
      maxTokensPerDay: max,
      usedToday: usedTokens,
    },
  }
}

/** Returns an account's usage of models by day and purpose, the newest day first, for the days that are retained. */
export async function readModelUsage(
  { db, clock }: Pick<ModelDeps, 'db' | 'clock'>,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<ModelUsage> {
  const from = new Date(clock.now().getTime() - RETENTION.usageDayMs).toISOString().slice(0, 10)
  const rows = await db.kysely
    .selectFrom('modelDay')
    // The day is read as text: a date without a time would be read as midnight in the process's time zone.
    .select([sql<string>`day::text`.as('onDay'), 'purpose', 'requests'])
    .select(['tokensIn', 'tokensOut', 'estimated'])
    .where('accountId', '=', accountId)
    .where(sql`day`, '>', sql`${from}::date`)
    .orderBy('day', 'desc')
    .orderBy('purpose')
    .execute()
  return {
    days: rows.map(({ onDay: day, purpose, ...row }) => ({
      ...row,
      day,
      purpose: purpose as ModelPurpose,
    })),
  }
}

/** Returns all models of an account, in their order. */
export function readModels(db: Kysely<DB>, accountId: string): Promise<StoredModel[]> {
  return db
    .selectFrom('model')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('position')
    .execute()
}

/** Loads a model of an account. @throws not_found */
export async function requireModel(
  db: Kysely<DB>,
  { accountId, modelId }: { accountId: string; modelId: string },
): Promise<StoredModel> {
  return db
    .selectFrom('model')
    .selectAll()
    .where('id', '=', modelId)
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_model')))
}

/** Locks the account's models until the transaction ends, so that members change them one after the other. Returns them. */
export async function lockModels(tx: Kysely<DB>, accountId: string): Promise<StoredModel[]> {
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
  return readModels(tx, accountId)
}

/** Returns the settings of a stored model with its decrypted key. */
export function storedSetUp(row: StoredModel, key: string | null): ModelSetUp {
  return {
    ...row,
    kind: row.kind as ModelKind,
    thinking: row.thinking as Thinking,
    thinkingSwitch: row.thinkingSwitch as ThinkingSwitch | null,
    key,
  }
}

/** Converts a stored model to its view. */
export function viewModel(row: StoredModel, formatFact: FormatFact): ModelView {
  const kind = row.kind as ModelKind
  return {
    id: row.id,
    position: row.position,
    kind,
    modelName: row.modelName,
    baseUrl: row.baseUrl,
    host: hostOfModel({ kind, baseUrl: row.baseUrl }),
    hasKey: row.credential !== null,
    lastFour: row.lastFour,
    contextTokens: row.contextTokens,
    transcriptionModel: row.transcriptionModel,
    readsImages: row.readsImages,
    thinking: row.thinking as Thinking,
    reasonsAnyway: row.reasonsAnyway,
    isOn: row.isOn,
    broken: row.broken === null ? null : formatFact(parseFact(row.broken)),
    revision: row.revision,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
