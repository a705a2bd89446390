import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { ActionDefinition } from '../../contract/ai-action.ts'
import type { ActionView, EditAction } from '../../contract/dashboard/action.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { guessDoes } from '../../rules/assistant/guess-action.ts'
import { ServiceError } from '../../core/service-error.ts'
import { withUniqueToolName, requireActionsInPlan } from './create-action.ts'
import { requireCallableAction } from './require-callable-action.ts'
import { readDefinition, showAction, type OwnedAction } from './view-action.ts'
import { withdrawProposals } from './withdraw-proposals.ts'

/**
 * Changes the given fields of an action, or switches it on or off. Earlier proposals are withdrawn. Without the plan
 * it can be changed and switched off, but not on.
 *
 * @throws not_found, not_in_plan, invalid; conflict when the tool name is taken.
 */
export async function editAction(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, actionId, ...input }: EditAction & OwnedAction,
): Promise<ActionView> {
  return withUniqueToolName(input.toolName ?? '', () =>
    auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
      const { plan } = await lockCompany(tx, actor, companyId)
      const before = await lockAction(tx, { companyId, actionId })
      if (input.isOn === true && !before.isOn) requireActionsInPlan(plan)
      const after = merge(before, input)
      const fields = changedFields(before, after)
      if (fields.length > 0) {
        // An action with an invalid definition can still be switched off.
        if (after.isOn || fields.some((field) => field !== 'isOn')) {
          await requireCallableAction(tx, companyId, after.definition)
        }
        await tx
          .updateTable('aiAction')
          .set((eb) => ({
            toolName: after.toolName,
            definition: JSON.stringify(after.definition),
            connectionId: after.definition.request.connectionId,
            needsConfirmation: after.needsConfirmation,
            isOn: after.isOn,
            revision: eb('revision', '+', 1),
            updatedAt: now,
          }))
          .where('id', '=', actionId)
          .where('companyId', '=', companyId)
          .execute()
        await withdrawProposals(tx, { companyId, actionId }, 'action_changed', now)
        await audit(
          auditAction(fields, after.isOn),
          { kind: 'ai_action', id: actionId, companyId },
          { toolName: after.toolName, fields },
        )
      }
      return showAction(tx, { companyId, actionId })
    }),
  )
}

type Settings = {
  toolName: string
  definition: ActionDefinition
  needsConfirmation: boolean
  isOn: boolean
}

async function lockAction(
  tx: Transaction<DB>,
  { companyId, actionId }: OwnedAction,
): Promise<Settings> {
  const row = await tx
    .selectFrom('aiAction')
    .select(['toolName', 'definition', 'needsConfirmation', 'isOn'])
    .where('id', '=', actionId)
    .where('companyId', '=', companyId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_action')))
  return { ...row, definition: readDefinition(row.definition) }
}

function merge(
  before: Settings,
  { toolName, needsConfirmation, isOn, ...rest }: EditAction,
): Settings {
  const named = Object.entries(rest).filter(([, value]) => value !== undefined)
  const definition: ActionDefinition = { ...before.definition, ...Object.fromEntries(named) }
  const name = toolName ?? before.toolName
  // Null means no choice, so it is guessed as for a new action.
  if (rest.does === null) definition.does = guessDoes(name, definition.request.method)
  return {
    toolName: name,
    needsConfirmation: needsConfirmation ?? before.needsConfirmation,
    isOn: isOn ?? before.isOn,
    definition,
  }
}

function changedFields(before: Settings, after: Settings): string[] {
  const flat = ({ definition, ...settings }: Settings): Record<string, unknown> => ({
    ...settings,
    ...definition,
  })
  const old = flat(before)
  return Object.entries(flat(after))
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]))
    .map(([name]) => name)
}

function auditAction(fields: readonly string[], isOn: boolean): string {
  if (fields.length > 1 || fields[0] !== 'isOn') return 'ai_action.edited'
  return isOn ? 'ai_action.switched_on' : 'ai_action.switched_off'
}
