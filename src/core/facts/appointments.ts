import type { None } from './none.ts'

/** Why an appointment is not made, moved or ended, and why nobody was reminded or told of one. */
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
  /** The customer was not told: it has changed again since, which is told. */
  notice_superseded: None
  notice_too_late: None
  notice_no_way: None
  /** So many were told to one recipient in a day, or by one company in an hour. */
  notice_too_many: None
  notice_not_mailed: None
  notice_mail_unknown: None
  /** It was due before the service was restored from a backup. */
  notice_restored: None
  calendar_reads_a_minute: None
  no_such_calendar_link: None
  calendar_links_full: { most: number }
}
