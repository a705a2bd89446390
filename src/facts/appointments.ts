import type { None } from './none.ts'

/** Why an appointment is not made, moved or ended, and why nobody was reminded of one. */
export type AppointmentFacts = {
  no_such_appointment: None
  appointment_cancelled: None
  /** `completed` or `no_show`. */
  appointment_over: { status: string }
  appointment_not_begun: None
  /** Somebody or something that it needs is taken then. */
  slot_not_free: None
  unknown_service: None
  resource_not_of_service: None
  booking_nameless: None
  appointment_too_far: { days: number }
  /** A warning: it was booked all the same. */
  outside_opening_hours: None
  reminder_flow_off: None
  reminder_too_late: None
  /** It was due before the service was restored from a backup. */
  reminder_restored: None
  calendar_reads_a_minute: None
  no_such_calendar_link: None
  calendar_links_full: { most: number }
}
