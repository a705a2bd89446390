import type { Context } from '../../infra/context.ts'
import { loadMoveInputs, type MovableAppointment } from './move-inputs.ts'
import { offerTimes } from './offer-times.ts'
import { filterByWanted } from './plan-bookings.ts'
import { loadSlotInputs } from './slot-inputs.sql.ts'

type TimesQuery = {
  companyId: string
  serviceId: string
  /** The resource, or null for any. */
  resourceId: string | null
  from: Date
  to: Date
}

/**
 * Returns the starts that customers may choose for a service, in order; none when it is off or deleted. Times are not
 * reserved.
 * Spec: Appointments › Slots.
 */
export async function listTimes(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { companyId, serviceId, resourceId, from, to }: TimesQuery,
): Promise<Date[]> {
  const found = await loadSlotInputs(
    db.kysely,
    [{ companyId, serviceId }],
    { from, to },
    { isUnited: true },
  )
  const facts = found.get(serviceId)
  if (!facts || !facts.service.isOn || facts.service.isDeleted) return []
  const resources = filterByWanted(facts.resources, resourceId)
  return offerTimes({ ...facts, resources, now: clock.now() }, { from, to })
}

/** Returns the starts to which a customer may move an appointment, in order, without the current one. */
export async function listTimesToMove(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  appointment: MovableAppointment,
  range: { from: Date; to: Date },
): Promise<Date[]> {
  const facts = await loadMoveInputs(db.kysely, appointment, range, { isUnited: true })
  if (!facts) return []
  const times = await offerTimes({ ...facts, now: clock.now() }, range)
  return times.filter((time) => time.getTime() !== appointment.startsAt.getTime())
}
