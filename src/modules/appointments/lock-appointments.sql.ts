import { sql, type Selectable, type Transaction } from 'kysely'
import type { Appointment, DB } from '../../infra/database/tables.ts'
import { BOOKING_DEFAULTS } from '../../core/limits/appointments.ts'

/** The row of a locked appointment, with the deadline of the customer's link. */
export type LockedAppointment = Selectable<Appointment> & {
  /** The minutes before the start until which the customer's link cancels. */
  cancelUntilMin: number
}

/**
 * Locks appointments of the given companies until the commit, and returns them by id.
 * Isolation: locked in the order of their ids, and read afterwards.
 */
export async function lockAppointments(
  tx: Transaction<DB>,
  wanted: readonly { companyId: string; appointmentId: string }[],
): Promise<Map<string, LockedAppointment>> {
  const { rows } = await sql<LockedAppointment>`
    select appointment.*,
      coalesce(page.cancel_until_min, ${BOOKING_DEFAULTS.cancelUntilMin}) as cancel_until_min
    from appointment left join booking_page page on page.company_id = appointment.company_id
    where appointment.id = any(${wanted.map(({ appointmentId }) => appointmentId)}::uuid[])
      and appointment.company_id = any(${wanted.map(({ companyId }) => companyId)}::uuid[])
    order by appointment.id for update of appointment`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}
