import { sql, type Kysely, type Transaction } from 'kysely'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import type { Ids } from '../../core/ids.ts'
import type { AppointmentNoticeKind } from '../../core/vocabulary/appointments.ts'

/** A notice to a customer about a change of their appointment. */
export type NoticeToPlan = {
  companyId: string
  appointmentId: string
  /** The version of the appointment after the change. */
  version: number
  kind: AppointmentNoticeKind
  by: 'customer' | 'member'
}

/**
 * Plans notices to customers about their appointments: a row for each change, in the transaction of the change. The
 * row is the job (workers/appointment-notices).
 *
 * Isolation: the appointments are locked by the caller, or were just created.
 * Spec: Appointments › Messages to the customer.
 */
export async function planNotices(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  notices: readonly NoticeToPlan[],
): Promise<void> {
  if (notices.length === 0) return
  await sql`
    insert into appointment_notice (id, company_id, appointment_id, version, kind, actor_kind, due_at, created_at)
    select *, ${now}, ${now} from unnest(${notices.map(() => ids.uuid())}::uuid[],
      ${notices.map(({ companyId }) => companyId)}::uuid[],
      ${notices.map(({ appointmentId }) => appointmentId)}::uuid[],
      ${notices.map(({ version }) => version)}::int[], ${notices.map(({ kind }) => kind)}::text[],
      ${notices.map(({ by }) => by)}::text[])`.execute(tx)
  notifyAfterCommit(tx, 'appointments')
}

/**
 * Skips notices that were due or claimed before a backup was restored: they may have been sent since the backup, and
 * must not be sent twice. For the operator, while nothing sends. Returns their number.
 */
export async function skipRestoredNotices(db: Kysely<DB>, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update appointment_notice set state = 'skipped', due_at = null, settled_at = ${before},
      reason = ${serializeFact(fact('notice_restored'))}, claim_id = null, lease_expires_at = null
    where due_at <= ${before} or claim_id is not null`.execute(db)
  return Number(numAffectedRows ?? 0)
}
