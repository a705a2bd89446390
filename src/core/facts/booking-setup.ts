import type { None } from './none.ts'

/** Reasons why services, resources or opening hours are refused. */
export type BookingSetupFacts = {
  no_such_service: None
  no_such_resource: None
  no_such_opening_change: None
  unknown_resource: None
  too_many_services: { max: number }
  too_many_resources: { max: number }
  too_many_opening_changes: { max: number }
  too_many_roles: { max: number }
  /** Upcoming appointments of the service. */
  service_has_appointments: { count: number }
  resource_has_appointments: { count: number }
  resource_in_use: { services: string[] }
  room_is_nobody: None
  wrong_night_time: None
  wrong_day: None
  wrong_colour: None
  wrong_slug: None
  slug_taken: None
  days_in_order: None
  page_needs_slug: None
  page_needs_service: None
  slots_in_order: None
  too_many_slot_days: { max: number }
}
