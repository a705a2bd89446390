/** The models that may be called for an account, with their clients. A model that refuses its key is marked broken. */
import type { ModelNoticeDetails } from '../../contract/dashboard/notice.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import { MODEL_LIMITS } from '../../core/limits/models.ts'
import type { Candidates, ModelRow } from './candidates.sql.ts'
import type { ModelDeps } from './model-access.ts'
import type { Model } from './model.ts'
import { openModelKey } from './model-key.ts'
import { hostOfModel } from './open-model.ts'
import { notifyAccount } from './notify-account.ts'

/** A model that may be called, of the account or the operator. */
export type Candidate = {
  /** The key of the model's circuit. */
  id: string
  name: string
  /** The key of the model's opaque data; it changes with the model's settings. */
  opaqueDataKey: string
  /** True when it reasons before it answers, and needs more tokens for that. */
  reasons: boolean
  contextTokens: number
  model: Model
  readsImages: boolean
  /** Handles a model that refuses the key. */
  onBroken(why: Broken): Promise<void>
}

/** The reason why a model is marked broken. */
export type Broken = 'unauthorized' | 'not_found' | 'key_lost'

/**
 * Yields the models of the account that may be called, in their order, and marks those broken whose key is lost. Yields
 * the operator's if the account has set up none.
 */
export async function* candidatesOf(
  deps: ModelDeps,
  accountId: string,
  { models, hasOwn }: Candidates,
): AsyncGenerator<Candidate> {
  for (const row of models) {
    const { key, isLost } = openModelKey(deps.keyRing, { id: row.id, accountId }, row.credential)
    const onBroken = (why: Broken) => markBroken(deps, accountId, row, why)
    if (isLost) {
      await onBroken('key_lost')
      continue
    }
    yield {
      id: row.id,
      name: row.modelName,
      opaqueDataKey: `${row.id}/${row.revision}`,
      reasons: row.thinking === 'on' || row.reasonsAnyway,
      contextTokens: row.contextTokens,
      model: deps.models.open({ ...row, key }, 'guarded'),
      readsImages: row.readsImages,
      onBroken,
    }
  }
  const operator = deps.models.operator()
  if (hasOwn || operator === null) return
  yield {
    id: 'operator',
    name: operator.modelName,
    opaqueDataKey: 'operator',
    reasons: false,
    contextTokens: MODEL_LIMITS.maxContextTokens,
    model: deps.models.open(operator, 'operator'),
    readsImages: operator.readsImages === true,
    onBroken: (why) => {
      deps.log.error(
        { failure: why },
        "operator's model refused: check MODEL_API_KEY, MODEL_NAME, MODEL_BASE_URL",
      )
      return Promise.resolve()
    },
  }
}

/**
 * Marks a model broken, so that it is not called until a member changes it. The first process to mark it notifies the
 * account.
 */
async function markBroken(
  { db, ids, clock, log }: ModelDeps,
  accountId: string,
  row: ModelRow,
  why: Broken,
): Promise<void> {
  const now = clock.now()
  log.warn(
    { modelId: row.id, failure: why },
    'model marked broken: not called until a member changes it',
  )
  await transaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('model')
      .set({ broken: serializeFact(fact(`model_${why}`)), brokenAt: now })
      .where('id', '=', row.id)
      .where('accountId', '=', accountId)
      .where('revision', '=', row.revision)
      .where('broken', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    const details: ModelNoticeDetails = { modelName: row.modelName, host: hostOfModel(row), why }
    await notifyAccount(tx, { ids, now }, { accountId, kind: 'model_broken', details })
  })
}
