import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { ModelView, OrderModels, SetModelAllowance } from '../../contract/dashboard/model.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { fact } from '../../core/facts/fact.ts'
import { wrongField } from '../../core/service-error.ts'
import type { ModelDeps } from './model-access.ts'
import { lockModels, requireModel, viewModel } from './view-models.ts'

type Deps = Pick<ModelDeps, 'db' | 'ids' | 'clock'>
type OwnedModel = { modelId: string }

/** Changes the order of the account's models. @throws invalid unless each is named once */
export async function orderModels(
  { db, ids, clock }: Deps,
  actor: Actor,
  { ids: order }: OrderModels,
): Promise<void> {
  const { accountId } = actor
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const rows = await lockModels(tx, accountId)
    const wanted = new Set(order)
    if (
      wanted.size !== rows.length ||
      order.length !== rows.length ||
      !rows.every(({ id }) => wanted.has(id))
    ) {
      throw wrongField('ids', fact('models_in_order'))
    }
    for (const [at, id] of order.entries()) {
      await tx
        .updateTable('model')
        .set({ position: at + 1, updatedAt: now })
        .where('id', '=', id)
        .where('accountId', '=', accountId)
        .execute()
    }
    const names = order.map((id) => rows.find((row) => row.id === id)!.modelName)
    await audit('model.ordered', { kind: 'account', id: accountId }, { names })
  })
}

/**
 * Switches a model on or off; a model that is off is not called. An equal value changes nothing.
 * @throws not_found
 */
export async function switchModel(
  { db, ids, clock, formatFact }: Deps & { formatFact: FormatFact },
  actor: Actor,
  { modelId, isOn }: OwnedModel & { isOn: boolean },
): Promise<ModelView> {
  const { accountId } = actor
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await lockModels(tx, accountId)
    const before = await requireModel(tx, { accountId, modelId })
    if (before.isOn === isOn) return viewModel(before, formatFact)
    const row = await tx
      .updateTable('model')
      .set({ isOn, updatedAt: now })
      .where('id', '=', modelId)
      .where('accountId', '=', accountId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(isOn ? 'model.switched_on' : 'model.switched_off', { id: modelId })
    return viewModel(row, formatFact)
  })
}

/** Deletes a model with its key; the models after it move up. @throws not_found */
export async function deleteModel(
  { db, ids, clock }: Deps,
  actor: Actor,
  { modelId }: OwnedModel,
): Promise<void> {
  const { accountId } = actor
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    await lockModels(tx, accountId)
    const { position, modelName } = await requireModel(tx, { accountId, modelId })
    await tx
      .deleteFrom('model')
      .where('id', '=', modelId)
      .where('accountId', '=', accountId)
      .execute()
    await tx
      .updateTable('model')
      .set((eb) => ({ position: eb('position', '-', 1) }))
      .where('accountId', '=', accountId)
      .where('position', '>', position)
      .execute()
    await audit('model.deleted', { id: modelId }, { modelName })
  })
}

/** Lowers the account's daily allowance, or restores the operator's. @throws invalid above that number */
export async function setModelAllowance(
  { db, ids, clock, models }: Deps & Pick<ModelDeps, 'models'>,
  actor: Actor,
  { tokensPerDay }: SetModelAllowance,
): Promise<void> {
  const max = models.tokensPerDay
  if (tokensPerDay !== null && tokensPerDay > max) {
    throw wrongField('tokensPerDay', fact('model_allowance_too_high', { max }))
  }
  const { accountId } = actor
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    await tx
      .updateTable('account')
      .set({ modelTokensPerDay: tokensPerDay })
      .where('id', '=', accountId)
      .execute()
    await audit('account.model_allowance_set', { id: accountId }, { tokensPerDay })
  })
}
