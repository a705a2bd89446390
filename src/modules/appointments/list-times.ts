import type { Context } from '../../infra/context.ts'
import { readMoveFacts, type MovableAppointment } from './move-facts.ts'
import { offerTimes } from './offer-times.ts'
import { onlyWanted } from './plan-bookings.ts'
import { readSlotFacts } from './slot-facts.sql.ts'

type Asked = {
  companyId: string
  serviceId: string
  /** One of its resources; null: anyone. */
  resourceId: string | null
  from: Date
  to: Date
}

/**
 * The starts of a service that a customer may choose from, in order; none where it is off or gone. A time that
 * is shown is not kept.
 * Spec: Appointments › Slots.
 */
export async function listTimes(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { companyId, serviceId, resourceId, from, to }: Asked,
): Promise<Date[]> {
  const found = await readSlotFacts(
    db.kysely,
    [{ companyId, serviceId }],
    { from, to },
    { isUnited: true },
  )
  const facts = found.get(serviceId)
  if (!facts || !facts.service.isOn || facts.service.isDeleted) return []
  const resources = onlyWanted(facts.resources, resourceId)
  return offerTimes({ ...facts, resources, now: clock.now() }, { from, to })
}

/** The starts to which a customer may move their appointment, in order, without the one it has. */
export async function listTimesToMove(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  appointment: MovableAppointment,
  range: { from: Date; to: Date },
): Promise<Date[]> {
  const facts = await readMoveFacts(db.kysely, appointment, range, { isUnited: true })
  if (!facts) return []
  const times = await offerTimes({ ...facts, now: clock.now() }, range)
  return times.filter((time) => time.getTime() !== appointment.startsAt.getTime())
}
