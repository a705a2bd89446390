import { APPOINTMENT_LIMITS } from '../../core/limits/appointments.ts'
import { takeSlot } from '../../rules/appointments/slots.ts'
import { bookerNames, type BookingContact } from './booking-contacts.ts'
import type { BookingRefusal, BookingRequest } from './booking.ts'
import type { BookableService, ServiceInputs } from './slot-facts.sql.ts'
import { timesOf } from './write-bookings.sql.ts'

/** Where a booking goes, or why it goes nowhere. */
export type Placed<Request> = {
  request: Request
  booker: BookingContact
} & ({ slot: Slot; refusal: null } | { slot: null; refusal: BookingRefusal })

export type Slot = { service: BookableService; zone: string; resourceIds: readonly string[] }

/**
 * Decides bookings in their order: each finds taken what those before it took, and of one customer the
 * appointments before it coming. Pure, but for what is taken in `facts`. Spec: Appointments › Booking.
 */
export function planBookings(
  now: Date,
  asked: readonly { request: BookingRequest; booker: BookingContact; coming: number }[],
  facts: ReadonlyMap<string, ServiceInputs>,
): Placed<BookingRequest>[] {
  const booked = new Map<string, number>()
  return asked.map(({ request, booker, coming }) => {
    const names = bookerNames(request.companyId, booker)
    const before = Math.max(0, ...names.map((name) => booked.get(name) ?? 0))
    const slot = place(now, request, facts.get(request.serviceId), coming + before)
    if (typeof slot === 'string') return { request, booker, slot: null, refusal: slot }
    for (const name of names) booked.set(name, (booked.get(name) ?? 0) + 1)
    return { request, booker, slot, refusal: null }
  })
}

function place(
  now: Date,
  request: BookingRequest,
  facts: ServiceInputs | undefined,
  coming: number,
): Slot | BookingRefusal {
  if (!facts || facts.service.companyId !== request.companyId) return 'not_bookable'
  const { service, isPageOn, page } = facts
  if (service.isDeleted || !service.isOn) return 'not_bookable'
  if (request.source === 'booking_page' && !isPageOn) return 'not_bookable'
  const resources = onlyWanted(facts.resources, request.resourceId)
  if (resources.length === 0) return 'slot_taken'
  const taken = takeSlot({ ...facts, resources, now }, request.startsAt)
  if (!taken.ok) return taken.reason
  if (coming >= APPOINTMENT_LIMITS.comingOfCustomer) return 'too_many'
  const { busyFrom: from, busyTo: to } = timesOf(service, request.startsAt)
  for (const resource of facts.resources) {
    if (taken.value.includes(resource.id)) resource.busy.push({ from, to })
  }
  return { service, zone: page.zone, resourceIds: taken.value }
}

/** Of the role of a resource that is asked for, that one alone; none where it is not to be had. */
export function onlyWanted<Resource extends { id: string; role: string }>(
  resources: readonly Resource[],
  wanted: string | null,
): Resource[] {
  if (wanted === null) return [...resources]
  const role = resources.find(({ id }) => id === wanted)?.role
  if (role === undefined) return []
  return resources.filter((resource) => resource.role !== role || resource.id === wanted)
}
