import type { BookingSetupFacts } from '../../core/facts/booking-setup.ts'
import { counted } from '../counted.ts'
import { quotedInEnglish } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

const coming = (count: number) => counted(count, 'coming appointment', 'coming appointments')

export const EN_BOOKING_SETUP: Catalog<BookingSetupFacts> = {
  no_such_service: () => 'No service with this ID.',
  no_such_resource: () => 'No person or room with this ID.',
  no_such_opening_change: () => 'No holiday or special hours with this ID.',
  unknown_resource: () => 'must be a person or room of this company',
  too_many_services: ({ max }) =>
    `You already have ${max} services, the maximum. Delete one first.`,
  too_many_resources: ({ max }) =>
    `You already have ${max} people and rooms, the maximum. Delete one first.`,
  too_many_opening_changes: ({ max }) =>
    `You already have ${max} holidays and special hours, the maximum. Delete past ones first.`,
  too_many_roles: ({ max }) => `must have at most ${max} roles`,
  service_has_appointments: ({ count }) =>
    `The service has ${coming(count)}. Switch it off to stop new bookings, then delete it once they’re over or cancelled.`,
  resource_has_appointments: ({ count }) =>
    `This person or room has ${coming(count)}. Switch them off to stop new bookings, then reschedule or cancel what’s booked.`,
  resource_in_use: ({ services }) =>
    `These services need this person or room: ${services.map(quotedInEnglish).join(', ')}. Remove it from them first.`,
  room_is_nobody: () => 'applies only to a person, not to a room',
  wrong_night_time: () =>
    'must be a time such as 17:00. For hours past midnight, keep counting up to 36:00',
  wrong_day: () => 'must be a date such as 2027-02-08',
  wrong_colour: () => 'must be a colour such as #0a7d5c',
  wrong_slug: () =>
    'must contain only a–z, 0–9 and single hyphens between them, such as sara-salon',
  slug_taken: () => 'is already used by another booking page',
  days_in_order: () => 'must not be before the first day',
  page_needs_slug: () => 'is required before the page can be switched on',
  page_needs_service: () =>
    'can’t be switched on yet: nothing can be booked. At least one service must be on and need a person or room that is on and has hours',
  slots_in_order: () => 'must be after the start',
  too_many_slot_days: ({ max }) => `must be at most ${max} days after the start`,
}
