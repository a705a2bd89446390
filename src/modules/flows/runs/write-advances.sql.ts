import { sql, type Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import { serializeFact } from '../../../core/facts/stored-fact.ts'
import type { ClosedCall } from './closed-call.ts'
import { isOfErased } from './stop-conditions.ts'
import type { RunChange } from './run-plan.ts'
import type { RunPlan } from './run-plan.ts'
import { unreadReplies } from './unread-replies.ts'
import type { ClosedStep } from './run-plan.ts'

/**
 * Writes the effects of advances in one statement: history, consumed and unread replies, runs and their rows in the
 * queue. The caller has locked the runs; each row is written once.
 */
export async function writeAdvances(
  tx: Transaction<DB>,
  now: Date,
  plans: readonly RunPlan[],
): Promise<void> {
  const added = plans.flatMap(({ loaded: { run }, added: steps }) =>
    steps.map((step) => ({ ...step, runId: run.id, companyId: run.companyId })),
  )
  const closed = plans.flatMap(({ loaded: { run }, closed: steps }) =>
    steps.map((step) => ({ runId: run.id, step: isOfErased(run) ? withoutPath(step) : step })),
  )
  const sends = closed.flatMap(({ runId, step }) => (isCall(step) ? [] : [{ runId, ...step }]))
  const calls = closed.flatMap(({ runId, step }) => (isCall(step) ? [{ runId, ...step }] : []))
  const read = plans.flatMap((plan) =>
    [...plan.consumed, ...unreadReplies(plan)].map((messageId) => ({
      runId: plan.loaded.run.id,
      messageId,
    })),
  )
  const changes = plans.map(({ loaded: { run }, change }) => ({
    ...change!,
    id: run.id,
    companyId: run.companyId,
  }))
  const runs = <Key extends keyof RunChange>(key: Key) => changes.map((change) => change[key])
  await sql`
    with added as (
      insert into flow_run_step (run_id, number, company_id, step_id, kind, status, detail,
        message_id, call_attempts, ended_at, started_at)
      select step.*, ${now} from unnest(
        ${added.map(({ runId }) => runId)}::uuid[], ${added.map(({ number }) => number)}::int[],
        ${added.map(({ companyId }) => companyId)}::uuid[],
        ${added.map(({ stepId }) => stepId)}::text[], ${added.map(({ kind }) => kind)}::text[],
        ${added.map(({ status }) => status)}::text[], ${added.map(({ detail }) => detail && serializeFact(detail))}::text[],
        ${added.map(({ messageId }) => messageId)}::text[],
        ${added.map(({ callAttempts }) => callAttempts)}::smallint[],
        ${added.map(({ endedAt }) => endedAt)}::timestamptz[]
      ) as step
    ), sends as (
      update flow_run_step step set status = ended.status, detail = ended.detail, ended_at = ${now}
      from unnest(
        ${sends.map(({ runId }) => runId)}::uuid[], ${sends.map(({ messageId }) => messageId)}::text[],
        ${sends.map(({ status }) => status)}::text[], ${sends.map(({ detail }) => detail && serializeFact(detail))}::text[]
      ) as ended (run_id, message_id, status, detail)
      where step.run_id = ended.run_id and step.message_id = ended.message_id
    ), calls as (
      update flow_run_step step set status = ended.status, detail = ended.detail, ended_at = ${now},
        call_attempts = ended.attempts, call = ended.call
      from unnest(
        ${calls.map(({ runId }) => runId)}::uuid[], ${calls.map(({ number }) => number)}::int[],
        ${calls.map(({ status }) => status)}::text[], ${calls.map(({ detail }) => detail && serializeFact(detail))}::text[],
        ${calls.map(({ call }) => call.attempts)}::smallint[],
        ${calls.map(({ call }) => JSON.stringify(call))}::text[]
      ) as ended (run_id, number, status, detail, attempts, call)
      where step.run_id = ended.run_id and step.number = ended.number
    ), read as (
      update flow_run_reply reply set consumed_at = ${now}
      from unnest(
        ${read.map(({ runId }) => runId)}::uuid[], ${read.map(({ messageId }) => messageId)}::text[]
      ) as taken (run_id, message_id)
      where reply.run_id = taken.run_id and reply.message_id = taken.message_id
    ), ${queueRows(changes)}
    update flow_run run set
      status = change.status, end_reason = change.end_reason, end_detail = change.end_detail,
      ended_at = change.ended_at, step_id = change.step_id, variables = change.variables,
      wait_kind = change.wait_kind, wait_until = change.wait_until,
      waiting_since = change.waiting_since,
      steps_since_wait = change.steps_since_wait, waits = change.waits,
      calls_since_reply = change.calls_since_reply, calls_since_reply_ms = change.calls_since_reply_ms,
      steps = change.steps, has_sent = change.has_sent, send_failures = change.send_failures,
      wrong_answers = change.wrong_answers, language = change.language,
      offered = change.offered,
      failure_count = 0
    from unnest(
      ${changes.map(({ id }) => id)}::uuid[], ${runs('status')}::text[], ${runs('endReason')}::text[],
      ${runs('endDetail')}::text[], ${runs('endedAt')}::timestamptz[], ${runs('stepId')}::text[],
      ${runs('variables')}::text[], ${runs('waitKind')}::text[], ${runs('waitUntil')}::timestamptz[],
      ${runs('waitingSince')}::timestamptz[],
      ${runs('stepsSinceWait')}::int[], ${runs('waits')}::int[], ${runs('callsSinceReply')}::smallint[],
      ${runs('callsSinceReplyMs')}::int[], ${runs('steps')}::int[], ${runs('hasSent')}::bool[],
      ${runs('sendFailures')}::smallint[], ${runs('wrongAnswers')}::smallint[],
      ${runs('language')}::text[], ${runs('offered')}::text[]
    ) as change (id, status, end_reason, end_detail, ended_at, step_id, variables, wait_kind,
      wait_until, waiting_since, steps_since_wait, waits,
      calls_since_reply, calls_since_reply_ms, steps, has_sent, send_failures, wrong_answers, language,
      offered)
    where run.id = change.id
  `.execute(tx)
}

/** Returns CTEs that insert or update the queue rows of runs that are due at some time or claimed, and delete the others. */
function queueRows(changes: readonly (RunChange & { id: string; companyId: string })[]) {
  const idle = changes.filter(({ dueAt, claimId }) => dueAt === null && claimId === null)
  const queued = changes.filter((change) => !idle.includes(change))
  return sql`unqueued as (
      delete from run_queue where id = any(${idle.map(({ id }) => id)}::uuid[])
    ), queued as (
      insert into run_queue (id, company_id, is_new, due_at, claim_id, lease_expires_at)
      select * from unnest(
        ${queued.map(({ id }) => id)}::uuid[], ${queued.map(({ companyId }) => companyId)}::uuid[],
        ${queued.map(({ status }) => status === 'queued')}::boolean[],
        ${queued.map(({ dueAt }) => dueAt)}::timestamptz[],
        ${queued.map(({ claimId }) => claimId)}::uuid[],
        ${queued.map(({ leaseExpiresAt }) => leaseExpiresAt)}::timestamptz[]) as made
      on conflict (id) do update set is_new = excluded.is_new, due_at = excluded.due_at,
        claim_id = excluded.claim_id, lease_expires_at = excluded.lease_expires_at
    )`
}

const isCall = (step: ClosedStep): step is ClosedCall => 'call' in step

/** Removes the path of a call whose customer was erased during it. */
const withoutPath = (step: ClosedStep): ClosedStep =>
  isCall(step) ? { ...step, call: { ...step.call, path: '' } } : step
