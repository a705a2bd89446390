import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { TestedModel } from '../../contract/dashboard/model.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { fact } from '../../core/facts/fact.ts'
import type { ModelDeps } from './model-access.ts'
import { openModelKey } from './model-key.ts'
import { SET_UP_TESTS, testSetUp } from './test-set-up.ts'
import { requireModel, storedSetUp } from './view-models.ts'

/**
 * Sends the test question to a model of the account, also to one that is off. A broken model that passes is used for
 * customers again.
 * @throws not_found, rate_limited, limit_reached. Spec: Assistant › Models.
 */
export async function testModel(
  deps: ModelDeps & { formatFact: FormatFact },
  actor: Actor,
  { modelId }: { modelId: string },
): Promise<TestedModel> {
  const { db, ids, clock, keyRing, formatFact } = deps
  const { accountId } = actor
  const row = await requireModel(db.kysely, { accountId, modelId })
  const { key, isLost } = openModelKey(keyRing, row, row.credential)
  if (isLost) return { isFit: false, why: formatFact(fact('model_key_lost')), durationMs: 0 }
  const setUp = storedSetUp(row, key)
  const { unfit, reasoning, durationMs } = await testSetUp(deps, {
    accountId,
    setUp,
    tests: SET_UP_TESTS,
  })
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    if (unfit === null) {
      await tx
        .updateTable('model')
        .set({ broken: null, brokenAt: null, ...reasoning })
        .where('id', '=', modelId)
        .where('accountId', '=', accountId)
        .where('revision', '=', row.revision)
        .execute()
    }
    await audit('model.tested', { id: modelId }, { isFit: unfit === null })
  })
  return { isFit: unfit === null, why: unfit && formatFact(unfit.why), durationMs }
}
