import { requireBelowLimit } from '../accounts/require-below-limit.ts'
import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { ActionView, CreateAction } from '../../contract/dashboard/action.ts'
import { isUniqueViolation } from '../../infra/database/is-unique-violation.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { ACTION_LIMITS } from '../../core/limits/calls.ts'
import { fact } from '../../core/facts/fact.ts'
import { guessDoes, guessOfferedOn } from '../../rules/assistant/guess-action.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'
import { requireCallableAction } from './require-callable-action.ts'
import { showAction } from './view-action.ts'

/**
 * Creates an AI action. The company is locked, so that concurrent requests cannot exceed its limit.
 *
 * @throws not_in_plan, limit_reached, invalid; conflict when the tool name is taken.
 * Spec: Calls › AI actions; Limits › AI actions.
 */
export async function createAction(
  { db, ids, clock }: Context,
  actor: Actor,
  {
    companyId,
    toolName,
    needsConfirmation,
    isOn,
    does: choice,
    offeredOn,
    ...rest
  }: CreateAction & { companyId: string },
): Promise<ActionView> {
  const actionId = ids.uuid()
  const does = choice ?? guessDoes(toolName, rest.request.method)
  const definition = { ...rest, does, offeredOn: offeredOn ?? guessOfferedOn(rest, does) }
  return withUniqueToolName(toolName, () =>
    auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
      const { plan } = await lockCompany(tx, actor, companyId)
      requireActionsInPlan(plan)
      await requireBelowLimit(
        tx.selectFrom('aiAction').where('companyId', '=', companyId),
        ACTION_LIMITS.perCompany,
        fact('actions_used_up', { max: ACTION_LIMITS.perCompany }),
      )
      await requireCallableAction(tx, companyId, definition)
      await tx
        .insertInto('aiAction')
        .values({
          id: actionId,
          companyId,
          connectionId: definition.request.connectionId,
          toolName,
          definition: JSON.stringify(definition),
          needsConfirmation,
          isOn,
          createdAt: now,
          updatedAt: now,
        })
        .execute()
      await audit('ai_action.created', { id: actionId, companyId }, { toolName, needsConfirmation })
      return showAction(tx, { companyId, actionId })
    }),
  )
}

/** Throws unless the plan has AI actions. @throws not_in_plan */
export function requireActionsInPlan(plan: Plan): void {
  if (PLAN_LIMITS[plan].developer) return
  throw new ServiceError('not_in_plan', fact('actions_not_in_plan', { plan }))
}

/**
 * Runs work that names an action, and refuses a name that another action has.
 * @throws conflict when another action has the tool name
 */
export async function withUniqueToolName<T>(toolName: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error, 'ai_action_tool_name')) throw error
    throw new ServiceError('conflict', fact('action_name_taken', { name: toolName }))
  }
}
