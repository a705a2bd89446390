import { sql } from 'kysely'
import type { Context } from '../../infra/context.ts'
import { BOOKING_DEFAULTS } from '../../core/limits/appointments.ts'
import { cancelUntil, mayCancel } from '../../rules/appointments/may-cancel.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'
import { readAppointments } from './appointment.ts'
import { isAppointmentToken } from './appointment-links.ts'
import { toBookedAppointment, type BookedAppointment } from './booking.ts'

/** An appointment on the customer's page. */
export type CustomersAppointment = Omit<BookedAppointment, 'token'> & {
  companyName: string | null
  cancelledAt: Date | null
  updatedAt: Date
  /** The time until which the link cancels; later the page shows the shop's number. */
  cancelUntil: Date
  canBeCancelled: boolean
}

/**
 * Finds an appointment by the customer's secret link; null for invalid tokens.
 * Spec: Appointments › The customer's link.
 */
export async function findByToken(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  token: string,
): Promise<CustomersAppointment | null> {
  if (!isAppointmentToken(token)) return null
  const [row] = await readAppointments(
    db.kysely,
    sql`appointment.id = (select appointment_id from appointment_link
      where token_hash = ${tokenHash(token)})`,
  )
  if (!row) return null
  const page = await db.kysely
    .selectFrom('bookingPage')
    .select('cancelUntilMin')
    .where('companyId', '=', row.companyId)
    .executeTakeFirst()
  const { cancelUntilMin } = page ?? BOOKING_DEFAULTS
  const appointment = toBookedAppointment(row)
  const timing = { ...appointment, cancelUntilMin }
  return {
    ...appointment,
    companyName: row.companyName,
    cancelledAt: row.cancelledAt,
    updatedAt: row.updatedAt,
    cancelUntil: cancelUntil(timing),
    canBeCancelled: mayCancel(timing, 'link', clock.now()) === 'may',
  }
}
