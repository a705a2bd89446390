import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { EditModel, ModelView } from '../../contract/dashboard/model.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { ModelKind, Thinking } from '../../core/vocabulary/models.ts'
import { requireFit, requireSetUp, type SaveModelDeps } from './create-model.ts'
import { openModelKey, sealModelKey } from './model-key.ts'
import { hostOfModel, type ModelSetUp } from './open-model.ts'
import { SET_UP_TESTS, type SetUpTested } from './test-set-up.ts'
import { lockModels, requireModel, viewModel, type StoredModel } from './view-models.ts'

/**
 * Changes settings of a language model of the account, once a test with them passes. Settings of its server or key are
 * tested with the test question first, and reset a broken model. A change of the server requires the key again, so that
 * a member cannot send the stored key to a server of their choice.
 * @throws not_found, stale; invalid when its address, its key or its answer is unusable; rate_limited.
 *
 * Spec: Assistant › Models.
 */
export async function editModel(
  deps: SaveModelDeps,
  actor: Actor,
  { modelId, revision, ...input }: EditModel & { modelId: string },
): Promise<ModelView> {
  const { db, ids, clock, keyRing, formatFact } = deps
  const { accountId } = actor
  const before = await requireModel(db.kysely, { accountId, modelId })
  requireSeen(before, revision)
  const tests = testsOf(input)
  const setUp = tests.length === 0 ? null : await changedSetUp(deps, before, input)
  const reasoning = setUp && (await requireFit(deps, accountId, setUp, tests))
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await lockModels(tx, accountId)
    requireSeen(await requireModel(tx, { accountId, modelId }), revision)
    const row = await tx
      .updateTable('model')
      .set({
        ...(setUp && {
          kind: setUp.kind,
          modelName: setUp.modelName,
          baseUrl: setUp.baseUrl,
          ...(input.key !== undefined &&
            sealModelKey(keyRing, { id: modelId, accountId }, setUp.key)),
          transcriptionModel: setUp.transcriptionModel ?? null,
          readsImages: setUp.readsImages ?? false,
          thinking: setUp.thinking ?? 'off',
          ...reasoning,
          ...(tests.includes('answers') && { broken: null, brokenAt: null }),
        }),
        ...(input.contextTokens !== undefined && { contextTokens: input.contextTokens }),
        revision: revision + 1,
        updatedAt: now,
      })
      .where('id', '=', modelId)
      .where('accountId', '=', accountId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(
      'model.edited',
      { id: modelId },
      { fields: Object.keys(input), ...(setUp && { host: hostOfModel(setUp) }) },
    )
    return viewModel(row, formatFact)
  })
}

/** Checks that the model has not changed since the member saw it. @throws stale */
function requireSeen(row: StoredModel, revision: number): void {
  if (row.revision !== revision) throw new ServiceError('stale', fact('model_changed'))
}

type Changed = Omit<EditModel, 'revision' | 'contextTokens'>

/** Returns the tests that a change requires. */
function testsOf({ kind, modelName, baseUrl, key, ...more }: Changed): readonly SetUpTested[] {
  if ([kind, modelName, baseUrl, key].some((value) => value !== undefined)) return SET_UP_TESTS
  return [
    ...(more.thinking === undefined ? [] : (['answers'] as const)),
    ...(more.transcriptionModel === undefined ? [] : (['hears'] as const)),
    ...(more.readsImages === undefined ? [] : (['sees'] as const)),
  ]
}

/** Returns the settings of the model after the change. */
async function changedSetUp(
  deps: SaveModelDeps,
  before: StoredModel,
  { kind, modelName, baseUrl, key, transcriptionModel, readsImages, thinking }: Changed,
): Promise<ModelSetUp> {
  const was = { kind: before.kind as ModelKind, baseUrl: before.baseUrl }
  const wanted = {
    kind: kind ?? was.kind,
    modelName: modelName ?? before.modelName,
    baseUrl: baseUrl === undefined ? was.baseUrl : baseUrl,
    transcriptionModel:
      transcriptionModel === undefined ? before.transcriptionModel : transcriptionModel,
    readsImages: readsImages ?? before.readsImages,
    thinking: thinking ?? (before.thinking as Thinking),
  }
  const stored = openModelKey(deps.keyRing, before, before.credential)
  const isMoved = hostOfModel(wanted) !== hostOfModel(was)
  if (key === undefined && before.credential !== null && (isMoved || stored.isLost)) {
    throw new ServiceError('invalid', fact('model_not_saved'), {
      errors: [{ field: 'key', ...fact(isMoved ? 'model_key_needed_again' : 'model_key_lost') }],
    })
  }
  return requireSetUp(deps, { ...wanted, key: key === undefined ? stored.key : key })
}
