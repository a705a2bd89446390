import type { Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import type { ContactRow } from '../../messaging/contact.ts'
import type { ConversationRow } from '../../messaging/conversation.ts'
import { PLAN_LIMITS } from '../../../core/limits/accounts.ts'
import type { Plan } from '../../../core/vocabulary/accounts.ts'
import type { RunStatus, TriggerKind } from '../../../core/vocabulary/flows.ts'
import type { Selectable } from 'kysely'
import type { FlowRun as FlowRunTable, RunQueue } from '../../../infra/database/tables.ts'

/** When it is due, and whose claim it carries: nothing of it where it is not in the queue. */
type InQueue = Pick<Selectable<RunQueue>, 'dueAt' | 'claimId' | 'leaseExpiresAt'>
export type RunRow = Selectable<FlowRunTable> &
  InQueue & { status: RunStatus; triggerKind: TriggerKind }

/** A run with all that its next move depends on, its conversation and itself locked. */
export type LockedRun = {
  run: RunRow
  flowName: string
  isFlowDeleted: boolean
  company: { id: string; name: string | null }
  plan: string
  hasAutomations: boolean
  accountId: string
  /** Automated templates that the account may send in a UTC day. */
  templatesPerDay: number
  conversation: ConversationRow
  contact: ContactRow | null
}

const NOT_QUEUED: InQueue = { dueAt: null, claimId: null, leaseExpiresAt: null }

/**
 * Locks a run's conversation, then the run, in that order everywhere: a reply that is being saved and
 * a run that moves on take turns; then its place in the queue, so that nobody claims it any more. Null when the run
 * no longer carries the claim.
 *
 * @param claimed without a claim id where it is no matter who has claimed it
 */
export async function lockRun(
  tx: Transaction<DB>,
  claimed: { id: string; conversationId: string; claimId?: string | null },
): Promise<LockedRun | null> {
  const conversation = await tx
    .selectFrom('conversation')
    .selectAll()
    .where('id', '=', claimed.conversationId)
    .forUpdate()
    .executeTakeFirst()
  if (!conversation) return null
  const row = await tx
    .selectFrom('flowRun')
    .innerJoin('flow', 'flow.id', 'flowRun.flowId')
    .innerJoin('company', 'company.id', 'flowRun.companyId')
    .innerJoin('account', 'account.id', 'company.accountId')
    .selectAll('flowRun')
    .select(['flow.name as flowName', 'flow.deletedAt as flowDeletedAt'])
    .select('company.name as companyName')
    .select(['account.plan', 'account.id as accountId', 'account.templatesPerDay'])
    .where('flowRun.id', '=', claimed.id)
    .forUpdate('flowRun')
    .executeTakeFirst()
  if (!row) return null
  const queued = await tx
    .selectFrom('runQueue')
    .select(['dueAt', 'claimId', 'leaseExpiresAt'])
    .where('id', '=', claimed.id)
    .forUpdate()
    .executeTakeFirst()
  const { claimId } = { ...NOT_QUEUED, ...queued }
  if (claimed.claimId !== undefined && claimId !== claimed.claimId) return null
  const contact = row.contactId
    ? await tx.selectFrom('contact').selectAll().where('id', '=', row.contactId).executeTakeFirst()
    : undefined
  const { flowName, flowDeletedAt, companyName, plan, accountId, templatesPerDay, ...run } = row
  return {
    run: { ...NOT_QUEUED, ...queued, ...run } as RunRow,
    flowName,
    isFlowDeleted: flowDeletedAt !== null,
    company: { id: run.companyId, name: companyName },
    plan,
    hasAutomations: PLAN_LIMITS[plan as Plan].automations,
    accountId,
    templatesPerDay: templatesPerDay ?? PLAN_LIMITS[plan as Plan].templatesPerDay,
    conversation,
    contact: contact ?? null,
  }
}
