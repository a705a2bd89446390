import { sql, type Selectable, type Transaction } from 'kysely'
import type { Appointment, DB } from '../../infra/database/tables.ts'
import { BOOKING_DEFAULTS } from '../../core/limits/appointments.ts'

export type LockedAppointment = Selectable<Appointment> & {
  /** Until how many minutes before the start the customer's link cancels. */
  cancelUntilMin: number
}

/**
 * Appointments of the companies that ask for them, by id, held until the commit.
 * Isolation: locked in the order of their ids, and as they are then.
 */
export async function lockAppointments(
  tx: Transaction<DB>,
  asked: readonly { companyId: string; appointmentId: string }[],
): Promise<Map<string, LockedAppointment>> {
  const { rows } = await sql<LockedAppointment>`
    select appointment.*,
      coalesce(page.cancel_until_min, ${BOOKING_DEFAULTS.cancelUntilMin}) as cancel_until_min
    from appointment left join booking_page page on page.company_id = appointment.company_id
    where appointment.id = any(${asked.map(({ appointmentId }) => appointmentId)}::uuid[])
      and appointment.company_id = any(${asked.map(({ companyId }) => companyId)}::uuid[])
    order by appointment.id for update of appointment`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}
