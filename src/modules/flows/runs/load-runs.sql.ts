import { sql, type Transaction } from 'kysely'
import type { RunCall } from '../../../contract/dashboard/run.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { PLAN_LIMITS } from '../../../core/limits/accounts.ts'
import { RUN_LIMITS } from '../../../core/limits/flows.ts'
import type { ContactRow } from '../../messaging/contact.ts'
import type { ConversationRow } from '../../messaging/conversation.ts'
import type { MessageRow } from '../../messaging/record-receipt.ts'
import type { AnsweringMessage } from '../../../rules/flows/read-answer.ts'
import type { Plan } from '../../../core/vocabulary/accounts.ts'
import type { ClaimedRun } from './run-queue.ts'
import type { InterruptedCall } from './interrupted-call.ts'
import type { FieldDesigns } from './read-fields-of-flows.sql.ts'
import type { LockedRun, RunRow } from './read-run.ts'

/** A run with everything that its advance depends on. */
export type LoadedRun = LoadedRunRow & {
  /** The custom fields that its flow sets, by key. */
  fields: FieldDesigns
}

/** A loaded run before its flow's custom fields are known. */
export type LoadedRunRow = RunWithPlace & {
  last: LastSend | null
  unfinishedCall: InterruptedCall | null
  /** Unread replies saved for the run, oldest first, up to the number that one advance reads. */
  replies: AnsweringMessage[]
}

type RunWithPlace = LockedRun & {
  /** The company's time zone and opening hours. */
  hours: { timeZone: string; openingHours: string | null }
  channel: {
    id: string
    type: string
    country: string | null
    isCoexistence: boolean
    isConnected: boolean
    disconnectedReason: string | null
  }
}

/**
 * The last send of a run, or the one whose reply it waits for, with its step in the history. `first` is the error of the
 * message that the step names. `message` is the attempt that the provider accepted, or else the newest one.
 */
export type LastSend = {
  step: { stepId: string; kind: string; status: string; messageId: string }
  first: MessageError
  message: MessageError & Pick<MessageRow, 'id' | 'status' | 'claimId' | 'dueAt' | 'attempt'>
}

/** The error of a failed message. */
export type MessageError = Pick<MessageRow, 'errorCode' | 'errorDetail'>

/**
 * Locks the conversations of runs, then the runs, each in id order, without waiting for rows that another transaction
 * has locked. Returns the ids of the locked runs. Also restricts this transaction to generic plans and index scans,
 * so that plans made on small tables stay good on large ones.
 *
 * Isolation: the rows in the queue are not locked, which would be another write for each. When a lease ends during an
 * advance and another process claims the run, that process waits for the lock of the run, and no longer has a claim
 * once the advance has written the queue.
 */
export async function lockRuns(
  tx: Transaction<DB>,
  requested: readonly ClaimedRun[],
): Promise<Set<string>> {
  const lockTimeoutMs = requested.length > 1 ? RUN_LIMITS.batchLockMs : RUN_LIMITS.lockMs
  const { rows } = await sql<{ id: string }>`
    with settings as materialized (
      select set_config('lock_timeout', ${String(lockTimeoutMs)}, true),
        set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true),
        set_config('plan_cache_mode', 'force_generic_plan', true)
    ), requested as materialized (
      -- A run whose conversation was merged into another continues in that one.
      select id, conversation_id from flow_run where id = any(${requested.map((run) => run.id)}::uuid[])
    ), held as materialized (
      select conversation.id from conversation, settings
      where conversation.id = any(array(select conversation_id from requested))
      order by conversation.id for update of conversation skip locked
    ), wanted as materialized (
      select requested.id from requested join held on held.id = requested.conversation_id
    )
    select id from flow_run where id = any(array(select id from wanted))
    order by id for update skip locked
  `.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Locks the conversation of a run, then the run, in the same order as `lockRuns`, but waits for them. Then locks its
 * row in the queue, so that no worker claims it. Returns null when the run does not have the claim.
 *
 * @param run omit the claim id to lock the run whichever process has claimed it
 */
export async function lockRun(
  tx: Transaction<DB>,
  { id, claimId }: { id: string; claimId?: string | null },
): Promise<LockedRun | null> {
  await sql`
    with held as materialized (
      select id from conversation
      where id = (select conversation_id from flow_run where id = ${id}) for update
    ), locked as materialized (
      select run.id
      from held cross join lateral (select id from flow_run where id = ${id} for update) run
    ), queued as materialized (
      select id from run_queue where id = any(array(select id from locked)) for update
    )
    select from locked where (select count(*) from queued) >= 0`.execute(tx)
  const [loaded] = await readRuns(tx, [id])
  if (!loaded || (claimId !== undefined && loaded.run.claimId !== claimId)) return null
  return loaded
}

type RunWithOwners = RunRow & {
  flowName: string
  flowDeletedAt: Date | null
  companyName: string | null
  timeZone: string
  openingHours: string | null
  plan: string
  accountId: string
  templatesPerDay: number | null
  channelType: string
  country: string | null
  isCoexistence: boolean
  isConnected: boolean
  disconnectedReason: string | null
}

/**
 * Loads locked runs with what their advance depends on. Uses separate statements, so that it sees what was committed
 * while the locks were awaited.
 */
export async function loadRuns(
  tx: Transaction<DB>,
  ids: readonly string[],
): Promise<LoadedRunRow[]> {
  const loaded = await readRuns(tx, ids)
  const runs = loaded.map(({ run }) => run)
  const begun = runs.filter((run) => run.status !== 'queued' || run.hasSent)
  const replies = await readReplies(tx, idsOf(begun))
  const atSend = runs.filter(
    ({ id, status, waitKind }) =>
      status === 'running' || waitKind === 'sent' || (waitKind === 'reply' && !replies.has(id)),
  )
  const lastSends = await readLastSends(tx, idsOf(atSend))
  const unfinishedCalls = await readUnfinishedCalls(
    tx,
    idsOf(runs.filter(({ status }) => status === 'running')),
  )
  return loaded.map((one) => ({
    ...one,
    last: lastSends.get(one.run.id) ?? null,
    unfinishedCall: unfinishedCalls.get(one.run.id) ?? null,
    replies: replies.get(one.run.id) ?? [],
  }))
}

/** Reads runs with their conversations, contacts and channels. */
async function readRuns(tx: Transaction<DB>, ids: readonly string[]): Promise<RunWithPlace[]> {
  const { rows: runs } = await sql<RunWithOwners>`
    select run.*, queued.*, flow.name as flow_name, flow.deleted_at as flow_deleted_at, owner.*, channel.*
    from unnest(${ids}::uuid[]) as requested (id)
      cross join lateral (select * from flow_run where flow_run.id = requested.id limit 1) run
      left join lateral (select due_at, claim_id, lease_expires_at from run_queue
        where run_queue.id = requested.id limit 1) queued on true
      cross join lateral (select name, deleted_at from flow where flow.id = run.flow_id limit 1) flow
      cross join lateral (select company.name as company_name, company.time_zone,
          company.opening_hours, account.plan,
          account.id as account_id, account.templates_per_day
        from company join account on account.id = company.account_id
        where company.id = run.company_id limit 1) owner
      cross join lateral (select type as channel_type, country, is_coexistence, is_connected,
          disconnected_reason
        from channel where channel.id = run.channel_id limit 1) channel
  `.execute(tx)
  const conversationIds = runs.map(({ conversationId }) => conversationId)
  const { rows: conversations } = await sql<ConversationRow>`
    select * from conversation where id = any(${conversationIds}::text[])
  `.execute(tx)
  const { rows: contacts } = await sql<ContactRow>`
    select * from contact where id = any(${runs.map(({ contactId }) => contactId)}::uuid[])
  `.execute(tx)
  const conversationOf = new Map(conversations.map((row) => [row.id, row]))
  const contactOf = new Map(contacts.map((row) => [row.id, row]))
  return runs.map((row) => {
    const { flowName, flowDeletedAt, companyName, plan, accountId, templatesPerDay, ...rest } = row
    const { timeZone, openingHours, country, ...more } = rest
    const { channelType, isCoexistence, isConnected, disconnectedReason, ...run } = more
    return {
      run,
      flowName,
      isFlowDeleted: flowDeletedAt !== null,
      company: { id: run.companyId, name: companyName },
      hours: { timeZone, openingHours },
      plan,
      hasAutomations: PLAN_LIMITS[plan as Plan].automations,
      accountId,
      templatesPerDay: templatesPerDay ?? PLAN_LIMITS[plan as Plan].templatesPerDay,
      conversation: conversationOf.get(run.conversationId)!,
      contact: contactOf.get(run.contactId ?? '') ?? null,
      channel: {
        id: run.channelId,
        type: channelType,
        country,
        isCoexistence,
        isConnected,
        disconnectedReason,
      },
    }
  })
}

const idsOf = (runs: readonly { id: string }[]) => runs.map(({ id }) => id)

async function readLastSends(
  tx: Transaction<DB>,
  runIds: readonly string[],
): Promise<Map<string, LastSend>> {
  if (runIds.length === 0) return new Map()
  type Row = LastSend['step'] &
    LastSend['message'] & {
      runId: string
      stepStatus: string
      firstCode: string | null
      firstDetail: string | null
    }
  const { rows } = await sql<Row>`
    select requested.id as run_id, step.step_id, step.kind, step.status as step_status, step.message_id,
      first.error_code as first_code, first.error_detail as first_detail, newest.*
    from unnest(${runIds}::uuid[]) as requested (id)
      cross join lateral (select * from flow_run_step
        where run_id = requested.id and message_id is not null order by number desc limit 1) step
      cross join lateral (select send_key, error_code, error_detail from message
        where message.id = step.message_id limit 1) first
      cross join lateral (select id, status, claim_id, due_at, attempt, error_code, error_detail
        from message where message.send_key = first.send_key
        order by status in ('accepted', 'sent', 'delivered', 'read') desc, attempt desc limit 1) newest
  `.execute(tx)
  return new Map(
    rows.map(
      ({ runId, stepId, kind, stepStatus, messageId, firstCode, firstDetail, ...message }) => [
        runId,
        {
          step: { stepId, kind, status: stepStatus, messageId },
          first: { errorCode: firstCode, errorDetail: firstDetail },
          message,
        },
      ],
    ),
  )
}

async function readUnfinishedCalls(
  tx: Transaction<DB>,
  runIds: readonly string[],
): Promise<Map<string, InterruptedCall>> {
  if (runIds.length === 0) return new Map()
  const { rows } = await sql<{
    runId: string
    number: number
    callAttempts: number
    startedAt: Date
    call: string | null
  }>`
    select step.run_id, step.number, step.call_attempts, step.started_at, step.call
    from unnest(${runIds}::uuid[]) as requested (id)
      cross join lateral (select * from flow_run_step
        where run_id = requested.id order by number desc limit 1) step
    where step.status = 'started' and step.call_attempts is not null
  `.execute(tx)
  return new Map(
    rows.map(({ runId, number, callAttempts, startedAt, call }) => [
      runId,
      {
        number,
        attempts: callAttempts,
        startedAt,
        call: call === null ? null : (JSON.parse(call) as RunCall),
      },
    ]),
  )
}

/** Returns unread replies in the order of the provider's times, and of arrival within a second. */
async function readReplies(
  tx: Transaction<DB>,
  runIds: readonly string[],
): Promise<Map<string, LoadedRun['replies']>> {
  if (runIds.length === 0) return new Map()
  const { rows } = await sql<AnsweringMessage & { runId: string }>`
    select requested.id as run_id, kept.*
    from unnest(${runIds}::uuid[]) as requested (id)
      cross join lateral (select message.id, message.type, message.text, message.button_payload
        from flow_run_reply reply join message on message.id = reply.message_id
        where reply.run_id = requested.id and reply.consumed_at is null
        order by date_trunc('milliseconds', reply.received_at), message.occurred_at,
          message.arrival limit ${RUN_LIMITS.repliesPerAdvance}) kept
  `.execute(tx)
  const byRun = new Map<string, LoadedRun['replies']>()
  for (const { runId, ...reply } of rows) byRun.set(runId, [...(byRun.get(runId) ?? []), reply])
  return byRun
}
