import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../../infra/context.ts'
import type { SlotQuery, SlotsView } from '../../contract/dashboard/booking-setup.ts'
import { fact } from '../../core/facts/fact.ts'
import { APPOINTMENT_LIMITS } from '../../core/limits/appointments.ts'
import { DAY_MS } from '../../core/limits/units.ts'
import { wallTextAt } from '../../rules/time/zone.ts'
import { ServiceError, wrongField } from '../../core/service-error.ts'
import { offerTimes } from './offer-times.ts'
import { filterByWanted } from './plan-bookings.ts'
import { requireAppointment } from './require-appointment.ts'
import { loadSlotInputs } from './slot-inputs.sql.ts'

/**
 * Returns the starts of a service for members: without notice period, years ahead, and also for switched-off services.
 * Slots are not reserved.
 * @throws not_found, also for an appointment that is moved; invalid for a range that is too long.
 * Spec: Appointments › Slots.
 */
export async function listSlots(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { companyId, serviceId, resourceId, movedId, from, to }: SlotQuery & { companyId: string },
): Promise<SlotsView> {
  const { slotDays: max } = APPOINTMENT_LIMITS
  if (to <= from) throw wrongField('to', fact('slots_in_order'))
  if (to.getTime() - from.getTime() > max * DAY_MS) {
    throw wrongField('to', fact('too_many_slot_days', { max }))
  }
  if (movedId !== undefined) {
    await requireAppointment(db.kysely, { companyId, appointmentId: movedId })
  }
  const found = await loadSlotInputs(
    db.kysely,
    [{ companyId, serviceId }],
    { from, to },
    { isUnited: true, ...(movedId !== undefined && { movedId }) },
  )
  const facts = found.get(serviceId)
  if (!facts || facts.service.isDeleted) {
    throw new ServiceError('not_found', fact('no_such_service'))
  }
  const { zone } = facts.page
  const page = { zone, minNoticeMin: 0, maxDays: APPOINTMENT_LIMITS.memberDays }
  const resources = filterByWanted(facts.resources, resourceId ?? null)
  const slots = await offerTimes({ ...facts, resources, page, now: clock.now() }, { from, to })
  const items: SlotsView['items'] = []
  for (const [index, start] of slots.entries()) {
    if (index % SLOTS_PER_SLICE === 0) await nextTurn()
    items.push({ startsAt: start.toISOString(), local: wallTextAt(zone, start) })
  }
  return { zone, items }
}

/** The number of slots formatted before other work may run: with steps of a minute, 31 days have tens of thousands. */
const SLOTS_PER_SLICE = 5_000
