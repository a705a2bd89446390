import { APPOINTMENT_LIMITS } from '../../core/limits/appointments.ts'
import { pickSlotResources } from '../../rules/appointments/slots.ts'
import { bookingLockNames, type BookingContact } from './booking-contacts.ts'
import type { BookingRefusal, BookingRequest } from './booking.ts'
import type { BookableService, ServiceInputs } from './slot-inputs.sql.ts'
import { timesOf } from './write-bookings.sql.ts'

/** A booking with its slot, or with the reason of its refusal. */
export type PlannedBooking<Request> = {
  request: Request
  bookingContact: BookingContact
} & ({ slot: Slot; refusal: null } | { slot: null; refusal: BookingRefusal })

/** A slot of a service with its resources. */
export type Slot = { service: BookableService; zone: string; resourceIds: readonly string[] }

/**
 * Decides bookings in order: slots of earlier ones are taken, and earlier ones of the same customer count. Pure,
 * except for `facts`, where slots are marked as taken. Spec: Appointments › Booking.
 */
export function planBookings(
  now: Date,
  inputs: readonly { request: BookingRequest; bookingContact: BookingContact; coming: number }[],
  facts: ReadonlyMap<string, ServiceInputs>,
): PlannedBooking<BookingRequest>[] {
  const booked = new Map<string, number>()
  return inputs.map(({ request, bookingContact, coming }) => {
    const names = bookingLockNames(request.companyId, bookingContact)
    const before = Math.max(0, ...names.map((name) => booked.get(name) ?? 0))
    const slot = assignSlot(now, request, facts.get(request.serviceId), coming + before)
    if (typeof slot === 'string') return { request, bookingContact, slot: null, refusal: slot }
    for (const name of names) booked.set(name, (booked.get(name) ?? 0) + 1)
    return { request, bookingContact, slot, refusal: null }
  })
}

function assignSlot(
  now: Date,
  request: BookingRequest,
  facts: ServiceInputs | undefined,
  coming: number,
): Slot | BookingRefusal {
  if (!facts || facts.service.companyId !== request.companyId) return 'not_bookable'
  const { service, isPageOn, page } = facts
  if (service.isDeleted || !service.isOn) return 'not_bookable'
  if (request.source === 'booking_page' && !isPageOn) return 'not_bookable'
  const resources = filterByWanted(facts.resources, request.resourceId)
  if (resources.length === 0) return 'slot_taken'
  const taken = pickSlotResources({ ...facts, resources, now }, request.startsAt)
  if (!taken.ok) return taken.reason
  if (coming >= APPOINTMENT_LIMITS.comingOfCustomer) return 'too_many'
  const { busyFrom: from, busyTo: to } = timesOf(service, request.startsAt)
  for (const resource of facts.resources) {
    if (taken.value.includes(resource.id)) resource.busy.push({ from, to })
  }
  return { service, zone: page.zone, resourceIds: taken.value }
}

/**
 * Returns the resources among which a booking may choose: in the role of the wanted resource only that one, in other
 * roles all. Returns none when the wanted resource is unavailable, and all resources when none is wanted.
 */
export function filterByWanted<Resource extends { id: string; role: string }>(
  resources: readonly Resource[],
  wanted: string | null,
): Resource[] {
  if (wanted === null) return [...resources]
  const role = resources.find(({ id }) => id === wanted)?.role
  if (role === undefined) return []
  return resources.filter((resource) => resource.role !== role || resource.id === wanted)
}
