import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import type { AppointmentResource } from './appointment.ts'
import { loadSlotInputs, type ServiceInputs } from './slot-inputs.sql.ts'

/** An appointment with what decides where its customer may move it. */
export type MovableAppointment = {
  id: string
  companyId: string
  serviceId: string
  startsAt: Date
  endsAt: Date
  resources: readonly AppointmentResource[]
}

/**
 * Loads what decides to which times a customer may move their appointment. They are as for a booking, but its own time
 * counts as free, it keeps its length, and its people stay while they are bookable. Returns null when the booking page
 * or the service is off. Spec: Appointments › Moving.
 */
export async function loadMoveInputs(
  db: Kysely<DB>,
  { id, companyId, serviceId, startsAt, endsAt, resources: own }: MovableAppointment,
  range: { from: Date; to: Date },
  { isUnited }: { isUnited: boolean },
): Promise<ServiceInputs | null> {
  const services = [{ companyId, serviceId }]
  const options = { movedId: id, keepsOwn: false, isUnited }
  const facts = (await loadSlotInputs(db, services, range, options)).get(serviceId)
  if (!facts || !facts.isPageOn || !facts.service.isOn || facts.service.isDeleted) return null
  const minutes = (endsAt.getTime() - startsAt.getTime()) / MINUTE_MS
  const hadIds = new Set(own.filter(({ kind }) => kind === 'person').map((one) => one.id))
  const kept = new Set(facts.resources.filter((one) => hadIds.has(one.id)).map(({ role }) => role))
  const resources = facts.resources.filter((one) => !kept.has(one.role) || hadIds.has(one.id))
  return { ...facts, service: { ...facts.service, minutes }, resources }
}
