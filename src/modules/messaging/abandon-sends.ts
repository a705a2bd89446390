import { sql, type Kysely, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import { releaseTemplate } from './template-allowance.ts'

/**
 * Stops the unfinished messages of a run: queued ones fail, those in flight become `unknown`, and refused ones are
 * not retried. A receipt may still arrive for an unknown one. The caller has locked the run.
 */
export async function abandonSends(tx: Transaction<DB>, now: Date, runId: string): Promise<void> {
  const open = await tx
    .selectFrom('message')
    .select(['id', 'status'])
    .where('sendKey', '>=', `${runId}:`)
    .where('sendKey', '<', `${runId};`)
    .where((eb) => eb.or([eb('status', 'in', ['queued', 'sending']), eb('dueAt', 'is not', null)]))
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { id, status } of open) {
    await tx
      .updateTable('message')
      .set({
        dueAt: null,
        outbound: null,
        claimId: null,
        leaseExpiresAt: null,
        ...(status === 'sending' ? { status: 'unknown' } : {}),
        ...(status === 'queued' ? NEVER_SENT : {}),
        ...(status === 'queued' ? { failedAt: now } : {}),
      })
      .where('id', '=', id)
      .execute()
    if (status !== 'sending') await releaseTemplate(tx, id)
  }
}

const NEVER_SENT = {
  status: 'failed',
  errorCode: 'sender_ended',
  errorDetail: serializeFact(fact('sender_ended')),
}

/**
 * Fails the messages that a restored backup shows as queued, and stops retries of refused ones: replies of staff and
 * of the assistant, and tests. It is unknown whether they were sent after the backup. For the operator, while nothing
 * sends, after runs and broadcasts were handled. Returns how many were queued.
 *
 * @param before the time of the restore: messages queued later were not in the backup
 */
export async function abandonRestoredSends(
  db: Kysely<DB>,
  { now, before }: { now: Date; before: Date },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with open as materialized (
      select id from message where due_at is not null and claim_id is null
      union select id from message where claim_id is not null
    ), refused as (
      update message set due_at = null, outbound = null
      where id = any(array(select id from open)) and run_id is null and created_at <= ${before}
        and status = 'failed' and due_at is not null
    ), queued as (
      update message set due_at = null, outbound = null, claim_id = null, lease_expires_at = null,
        status = 'failed', failed_at = ${now}, error_code = 'restored',
        error_detail = ${serializeFact(fact('message_restored'))}
      where id = any(array(select id from open)) and run_id is null and created_at <= ${before}
        and status = 'queued'
      returning id
    )
    select count(*)::int as count from queued`.execute(db)
  return rows[0]!.count
}
