import type { Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import type { ContactRow } from '../../messaging/contact.ts'
import type { ConversationRow } from '../../messaging/conversation.ts'
import { PLAN_LIMITS } from '../../../core/limits/accounts.ts'
import type { Plan } from '../../../core/vocabulary/accounts.ts'
import type { RunStatus, TriggerKind } from '../../../core/vocabulary/flows.ts'
import type { Selectable } from 'kysely'
import type { FlowRun as FlowRunTable, RunQueue } from '../../../infra/database/tables.ts'

/** The queue's columns of a run; all null when it is not in the queue. */
type InQueue = Pick<Selectable<RunQueue>, 'dueAt' | 'claimId' | 'leaseExpiresAt'>
/** A run with its columns in the queue. */
export type RunRow = Selectable<FlowRunTable> &
  InQueue & { status: RunStatus; triggerKind: TriggerKind }

/** A locked run with its locked conversation and what its advance depends on. */
export type LockedRun = {
  run: RunRow
  flowName: string
  isFlowDeleted: boolean
  company: { id: string; name: string | null }
  plan: string
  hasAutomations: boolean
  accountId: string
  /** The account's quota of automated templates per UTC day. */
  templatesPerDay: number
  conversation: ConversationRow
  contact: ContactRow | null
}

const NOT_QUEUED: InQueue = { dueAt: null, claimId: null, leaseExpiresAt: null }

/**
 * Locks a run's conversation, then the run, in the same order everywhere: saving a reply and an advance are serialised.
 * Then locks its row in the queue, so that no worker claims it. Returns null when the run no longer carries
 * the claim.
 *
 * @param claimed omit the claim id to lock the run whichever process has claimed it
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
