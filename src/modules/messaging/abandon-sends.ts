import { sql, type Kysely, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import { releaseTemplate } from './template-allowance.ts'

/**
 * Nothing more of a run goes out: what was not begun is dropped and what was refused for now is not tried
 * again; what was under way, and what is known to nobody, stays `unknown`: a receipt may tell. The run is
 * locked by the caller.
 */
export async function abandonSends(tx: Transaction<DB>, now: Date, runId: string): Promise<void> {
  const open = await tx
    .selectFrom('message')
    .select(['id', 'status'])
    .where('runId', '=', runId)
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
 * Nothing goes out that a backup shows as queued, or refused for now, and that no run sends: replies of staff and of
 * the assistant, tests. Whether it went out since is not known. For the operator, after the runs and the broadcasts,
 * while nothing sends. Returns how many messages were queued.
 *
 * @param before when the backup was restored: what is queued later was not in it
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
