import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { CreateModel, ModelView } from '../../contract/dashboard/model.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { requirePublicUrl } from '../endpoints/require-public-url.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { MODEL_LIMITS } from '../../core/limits/models.ts'
import type { AddressGuard } from '../../infra/egress/guarded-addresses.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { ModelDeps } from './model-access.ts'
import { sealModelKey } from './model-key.ts'
import { hostOfModel, type ModelSetUp } from './open-model.ts'
import { SET_UP_TESTS, testSetUp, type FoundReasoning, type SetUpTested } from './test-set-up.ts'
import { lockModels, readModels, viewModel } from './view-models.ts'

/** The dependencies of creating and editing a model. */
export type SaveModelDeps = ModelDeps & { addressGuard: AddressGuard; formatFact: FormatFact }

/**
 * Creates a model of the account, as the last in order, once it has answered the test question with its tool.
 * @throws limit_reached with three; invalid when its address, its key or its answer is unusable; rate_limited. Spec:
 * Assistant › Models.
 */
export async function createModel(
  deps: SaveModelDeps,
  actor: Actor,
  input: CreateModel,
): Promise<ModelView> {
  const { db, ids, clock, keyRing, formatFact } = deps
  const { accountId } = actor
  requireRoom(await readModels(db.kysely, accountId))
  const setUp = await requireSetUp(deps, input)
  const reasoning = await requireFit(deps, accountId, setUp)
  const id = ids.uuid()
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const others = await lockModels(tx, accountId)
    requireRoom(others)
    const row = await tx
      .insertInto('model')
      .values({
        id,
        accountId,
        position: others.length + 1,
        kind: setUp.kind,
        modelName: setUp.modelName,
        baseUrl: setUp.baseUrl,
        ...sealModelKey(keyRing, { id, accountId }, setUp.key),
        contextTokens: input.contextTokens,
        transcriptionModel: setUp.transcriptionModel ?? null,
        readsImages: setUp.readsImages ?? false,
        thinking: setUp.thinking ?? 'off',
        ...reasoning,
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(
      'model.created',
      { id },
      { kind: setUp.kind, modelName: setUp.modelName, host: hostOfModel(setUp) },
    )
    return viewModel(row, formatFact)
  })
}

function requireRoom(others: readonly unknown[]): void {
  const max = MODEL_LIMITS.perAccount
  if (others.length >= max) throw new ServiceError('limit_reached', fact('models_used_up', { max }))
}

/**
 * Returns the settings to save, with the base URL in its stored form.
 * @throws invalid when the address is not public, or a required field of its kind is missing
 */
export async function requireSetUp(
  { addressGuard }: SaveModelDeps,
  { kind, modelName, baseUrl, key, transcriptionModel = null, ...more }: ModelSetUp,
): Promise<ModelSetUp> {
  if (baseUrl === null && kind === 'openai_compatible') {
    throw refused('baseUrl', fact('model_base_url_needed'))
  }
  if (key === null && kind !== 'openai_compatible') throw refused('key', fact('model_key_needed'))
  if (transcriptionModel !== null && kind === 'anthropic') {
    throw refused('transcriptionModel', fact('model_kind_hears_nothing'))
  }
  const read = baseUrl === null ? null : await requirePublicUrl(addressGuard, 'connection', baseUrl)
  const stored = read?.replace(/\/+$/, '') ?? null
  return { kind, modelName, baseUrl: stored, key, transcriptionModel, ...more }
}

/**
 * Tests a model with its settings. Returns the switch that stops its reasoning; null where that was not tested.
 * @throws invalid when it does not use the tool of the test question, or lacks an ability of its settings
 */
export async function requireFit(
  deps: SaveModelDeps,
  accountId: string,
  setUp: ModelSetUp,
  tests: readonly SetUpTested[] = SET_UP_TESTS,
): Promise<FoundReasoning | null> {
  const { unfit, reasoning } = await testSetUp(deps, { accountId, setUp, tests })
  if (unfit) throw refused(unfit.field, unfit.why)
  return reasoning
}

function refused(field: string, rule: Fact): ServiceError {
  return new ServiceError('invalid', fact('model_not_saved'), { errors: [{ field, ...rule }] })
}
