import type { Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import { fact } from '../facts/fact.ts'
import { storeFact } from '../facts/stored-fact.ts'
import { releaseTemplate } from './template-allowance.ts'

/**
 * Nothing more of a run goes out: what was not begun is dropped and what was refused for now is not tried
 * again; what was under way, and what is known to nobody, stays `unknown`: a receipt may tell. The run is
 * locked by the caller.
 */
export async function giveUpSends(tx: Transaction<DB>, now: Date, runId: string): Promise<void> {
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
        claimedUntil: null,
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
  errorDetail: storeFact(fact('sender_ended')),
}
