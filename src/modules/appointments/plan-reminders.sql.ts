import { sql, type RawBuilder, type Transaction } from 'kysely'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'

/**
 * Plans reminders of appointments, or of a flow that starts reminding: a row for each upcoming appointment and each
 * published reminder flow, due at a distance before the start. Pending ones are replaced; reminders that would be due
 * already are left out. A republished flow keeps what is due, and plans what it had skipped, unless a restored backup
 * hides whether that began.
 *
 * Isolation: the appointments, or the flow, are locked by the caller. Appointments of a company are planned
 * concurrently, but not while one of its flows starts reminding: neither would see the other. An appointment is
 * locked before its reminders, as in a cancellation.
 * Spec: Appointments › Reminders.
 */
export async function planReminders(
  tx: Transaction<DB>,
  now: Date,
  of: { appointmentIds: readonly string[] } | { flowId: string },
): Promise<void> {
  const isOf = (table: 'appointment' | 'reminder') =>
    'flowId' in of
      ? sql`flow_id = ${of.flowId}`
      : sql`${sql.ref(table === 'reminder' ? 'appointment_id' : 'appointment.id')}
          = any(${of.appointmentIds}::uuid[])`
  if ('appointmentIds' in of) await lockReminderFlows(tx, of.appointmentIds)
  const isToBegin =
    'flowId' in of
      ? sql`due_at <= ${now} and exists (select from reminder_flow join appointment using (company_id)
          where reminder_flow.flow_id = reminder.flow_id and appointment.id = reminder.appointment_id
            and starts_at - make_interval(mins => minutes_before) <= ${now})`
      : sql`false`
  await sql`delete from reminder
    where ${isOf('reminder')} and state = 'pending' and not (${isToBegin})`.execute(tx)
  const { numAffectedRows } = await sql`
    insert into reminder (appointment_id, flow_id, version, company_id, due_at, state)
    select appointment.id, flow_id, version, company_id, due_at, 'pending'
    from reminder_flow join appointment using (company_id)
      cross join lateral (select starts_at - make_interval(mins => minutes_before) as due_at) planned
    where ${isOf('appointment')} and status = 'confirmed' and due_at > ${now}
    for key share of appointment
    on conflict (appointment_id, flow_id, version) do update
      set due_at = excluded.due_at, state = 'pending', reason = null
      where reminder.state = 'skipped'
        and reminder.reason <> ${serializeFact(fact('reminder_restored'))}`.execute(tx)
  if (Number(numAffectedRows ?? 0) > 0) notifyAfterCommit(tx, 'reminders')
}

/**
 * Sets how long before the start a published flow reminds; null when it has another trigger, or is deleted.
 * Isolation: the flow is locked by the caller.
 */
export async function setReminderFlow(
  tx: Transaction<DB>,
  now: Date,
  {
    companyId,
    flowId,
    minutesBefore,
  }: { companyId: string; flowId: string; minutesBefore: number | null },
): Promise<void> {
  const { numAffectedRows } = await sql`
    delete from reminder_flow where flow_id = ${flowId}`.execute(tx)
  if (minutesBefore === null && Number(numAffectedRows ?? 0) === 0) return
  await sql`
    select from appointment
    where company_id = ${companyId} and starts_at > ${now} and status = 'confirmed'
    order by id for key share`.execute(tx)
  await sql`select pg_advisory_xact_lock(${lockOf(sql`${companyId}::uuid`)})`.execute(tx)
  if (minutesBefore !== null) {
    await sql`insert into reminder_flow (flow_id, company_id, minutes_before)
      values (${flowId}, ${companyId}, ${minutesBefore})`.execute(tx)
  }
  await planReminders(tx, now, { flowId })
}

/** Locks the companies' reminder flows against changes until the commit. */
async function lockReminderFlows(
  tx: Transaction<DB>,
  appointmentIds: readonly string[],
): Promise<void> {
  await sql`
    select pg_advisory_xact_lock_shared(key)
    from (select distinct ${lockOf(sql`company_id`)} as key from appointment
      where id = any(${appointmentIds}::uuid[]) order by key) companies`.execute(tx)
}

const lockOf = (companyId: RawBuilder<unknown>) =>
  sql`hashtextextended('reminders of ' || ${companyId}, 0)`
