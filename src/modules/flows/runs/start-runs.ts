/** Creates runs. No other code does, whatever starts a run. */
import { sql, type Transaction } from 'kysely'
import {
  eagerClaimForRun,
  dispatchRunsAfterCommit,
  notifyAfterCommit,
} from '../../../infra/database/after-commit.ts'
import { leaseEnd } from '../../../infra/database/queues/queue.ts'
import type { DB } from '../../../infra/database/tables.ts'
import type { Ids } from '../../../core/ids.ts'
import { RUN_LIMITS } from '../../../core/limits/flows.ts'
import type { TriggerKind } from '../../../core/vocabulary/flows.ts'
import type { Variables } from './interpret-flow.ts'

/** A run to create. */
export type NewRun = {
  id: string
  accountId: string
  companyId: string
  flowId: string
  /** The version that is published now. */
  flowVersionId: string
  channelId: string
  conversationId: string
  /** The contact; null for a visitor. */
  contactId: string | null
  triggerKind: TriggerKind
  /** The customer's message that starts it. */
  triggerMessageId: string | null
  idempotencyKey: string | null
  language: string | null
  variables: Variables
}

/**
 * Creates queued runs, due now, and claims them for this process as far as it has capacity. Returns their ids, in order.
 * The caller has checked that they may start, and has locked what that depends on.
 *
 * Isolation: the callers' locks prevent duplicates; unique indexes on (flow, key) and (message, flow) would otherwise
 * fail the transaction.
 */
export async function startRuns(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  runs: readonly Omit<NewRun, 'id'>[],
): Promise<string[]> {
  const made = runs.map((run) => ({ ...run, id: ids.uuid() }))
  if (made.length === 0) return []
  await sql`with ${insertRuns(claimNewRuns(tx, made), now)} select 1`.execute(tx)
  return made.map(({ id }) => id)
}

type ClaimedNewRun = NewRun & { claimId: string | null }

/**
 * Returns runs to insert, with a claim of this process as far as it has capacity; the claim id of the others is null.
 * Registers what follows the commit: the dispatch of claimed runs, and a notification for the others.
 */
export function claimNewRuns(on: object, runs: readonly NewRun[]): ClaimedNewRun[] {
  const claimed = runs.map((run) => ({ ...run, claimId: eagerClaimForRun(on, run.accountId) }))
  dispatchRunsAfterCommit(
    on,
    claimed.flatMap(({ claimId, ...run }) => (claimId === null ? [] : [{ ...run, claimId }])),
  )
  if (claimed.some(({ claimId }) => claimId === null)) notifyAfterCommit(on, 'runs')
  return claimed
}

/** Returns the CTEs that insert runs and their queue rows, so that a caller can write more in the same statement. */
export function insertRuns(runs: readonly ClaimedNewRun[], now: Date) {
  const leaseExpiresAt = leaseEnd(RUN_LIMITS, now)
  return sql`new_run as (
    insert into flow_run (id, company_id, flow_id, flow_version_id, channel_id, conversation_id,
      contact_id, trigger_kind, trigger_message_id, idempotency_key, language, variables, status,
      created_at)
    select *, 'queued', ${now}
    from unnest(${runs.map((row) => row.id)}::uuid[], ${runs.map((row) => row.companyId)}::uuid[],
      ${runs.map((row) => row.flowId)}::uuid[], ${runs.map((row) => row.flowVersionId)}::uuid[],
      ${runs.map((row) => row.channelId)}::uuid[], ${runs.map((row) => row.conversationId)}::text[],
      ${runs.map((row) => row.contactId)}::uuid[], ${runs.map((row) => row.triggerKind)}::text[],
      ${runs.map((row) => row.triggerMessageId)}::text[],
      ${runs.map((row) => row.idempotencyKey)}::text[], ${runs.map((row) => row.language)}::text[],
      ${runs.map((row) => JSON.stringify(row.variables))}::text[]) as made
  ), queued_run as (
    insert into run_queue (id, company_id, claim_id, lease_expires_at, is_new, due_at)
    select *, true, ${now}::timestamptz
    from unnest(${runs.map((row) => row.id)}::uuid[], ${runs.map((row) => row.companyId)}::uuid[],
      ${runs.map((row) => row.claimId)}::uuid[],
      ${runs.map((row) => row.claimId && leaseExpiresAt)}::timestamptz[]) as made
  )`
}
