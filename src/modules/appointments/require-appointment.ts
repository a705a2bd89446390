import { sql, type Kysely, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { readAppointments, type AppointmentRow } from './appointment.ts'
import { lockAppointments, type LockedAppointment } from './lock-appointments.sql.ts'

/** The id of an appointment with the id of its company. */
export type OwnedAppointment = { companyId: string; appointmentId: string }

/** Loads an appointment of the company. @throws not_found */
export async function requireAppointment(
  db: Kysely<DB>,
  { companyId, appointmentId }: OwnedAppointment,
): Promise<AppointmentRow> {
  const [row] = await readAppointments(
    db,
    sql`appointment.id = ${appointmentId} and appointment.company_id = ${companyId}`,
  )
  if (!row) throw noSuchAppointment()
  return row
}

/**
 * Locks an appointment that is not cancelled, until the commit.
 * @throws not_found; conflict when it was cancelled
 */
export async function requireNotCancelled(
  tx: Transaction<DB>,
  owned: OwnedAppointment,
): Promise<LockedAppointment> {
  const row = (await lockAppointments(tx, [owned])).get(owned.appointmentId)
  if (!row) throw noSuchAppointment()
  if (row.status === 'cancelled') throw new ServiceError('conflict', fact('appointment_cancelled'))
  return row
}

/** Locks an appointment that is still confirmed. @throws not_found; conflict */
export async function requireConfirmed(
  tx: Transaction<DB>,
  owned: OwnedAppointment,
): Promise<LockedAppointment> {
  const row = await requireNotCancelled(tx, owned)
  if (row.status !== 'confirmed') throw appointmentOver(row.status)
  return row
}

/** Creates the error for an appointment that the company does not have. */
export function noSuchAppointment(): ServiceError {
  return new ServiceError('not_found', fact('no_such_appointment'))
}

/** Creates the error for an appointment that is over. */
export function appointmentOver(status: string): ServiceError {
  return new ServiceError('conflict', fact('appointment_over', { status }))
}
