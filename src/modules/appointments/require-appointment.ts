import { sql, type Kysely, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { readAppointments, type AppointmentRow } from './appointment.ts'
import { lockAppointments, type LockedAppointment } from './lock-appointments.sql.ts'

export type OwnedAppointment = { companyId: string; appointmentId: string }

/** @throws not_found for one of another company, as for none at all. */
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

/** Held until the commit. @throws not_found; conflict for one that was cancelled. */
export async function requireNotCancelled(
  tx: Transaction<DB>,
  owned: OwnedAppointment,
): Promise<LockedAppointment> {
  const row = (await lockAppointments(tx, [owned])).get(owned.appointmentId)
  if (!row) throw noSuchAppointment()
  if (row.status === 'cancelled') throw new ServiceError('conflict', fact('appointment_cancelled'))
  return row
}

/** The same, and nobody has said yet what became of it. @throws as that; conflict */
export async function requireConfirmed(
  tx: Transaction<DB>,
  owned: OwnedAppointment,
): Promise<LockedAppointment> {
  const row = await requireNotCancelled(tx, owned)
  if (row.status !== 'confirmed') throw isOver(row.status)
  return row
}

export function noSuchAppointment(): ServiceError {
  return new ServiceError('not_found', fact('no_such_appointment'))
}

export function isOver(status: string): ServiceError {
  return new ServiceError('conflict', fact('appointment_over', { status }))
}
