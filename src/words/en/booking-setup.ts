import type { BookingSetupFacts } from '../../facts/booking-setup.ts'
import { counted } from '../counted.ts'
import { quotedInEnglish } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

const coming = (count: number) => counted(count, 'coming appointment', 'coming appointments')

export const EN_BOOKING_SETUP: Sentences<BookingSetupFacts> = {
  no_such_service: () => 'There is no such service.',
  no_such_resource: () => 'There is no such person or room.',
  no_such_opening_change: () => 'There are no such other hours.',
  unknown_resource: () => 'must be a person or a room of this company',
  too_many_services: ({ most }) => `There are ${most} services already. Delete one first.`,
  too_many_resources: ({ most }) => `There are ${most} people and rooms already. Delete one first.`,
  too_many_opening_changes: ({ most }) =>
    `There are ${most} rows of other hours already. Delete those that are over.`,
  too_many_roles: ({ most }) => `must have at most ${most} roles`,
  service_has_appointments: ({ count }) =>
    `The service has ${coming(count)}. Switch it off so that nobody books it anew, and delete it once they are over or cancelled.`,
  resource_has_appointments: ({ count }) =>
    `They have ${coming(count)}. Switch them off so that nobody books them anew, and move or cancel what is booked.`,
  resource_in_use: ({ services }) =>
    `Services need them: ${services.map(quotedInEnglish).join(', ')}. Take them out of those first.`,
  room_is_nobody: () => 'is only of a person, not of a room',
  wrong_night_time: () =>
    'must be a time such as 17:00; past midnight the hours count on, up to 36:00',
  wrong_day: () => 'must be a day such as 2027-02-08',
  wrong_colour: () => 'must be a colour such as #0a7d5c',
  wrong_slug: () => 'must have a-z, 0-9 and single - between them only, such as sara-salon',
  slug_taken: () => 'is the address of another booking page',
  days_in_order: () => 'must not be before the first day',
  page_needs_slug: () => 'is needed before the page can be switched on',
  page_needs_service: () =>
    'cannot be switched on yet: no service can be booked. One must be on and need a person or room that is on and has hours',
  slots_in_order: () => 'must be after the beginning',
  too_many_slot_days: ({ most }) => `must be at most ${most} days after the beginning`,
}
