import type { None } from './none.ts'

/** Reasons why an appointment is not made, moved or ended, and why a reminder or notice was not sent. */
export type AppointmentFacts = {
  no_such_appointment: None
  appointment_cancelled: None
  /** `completed` or `no_show`. */
  appointment_over: { status: string }
  appointment_not_begun: None
  /** A required person or resource is taken at that time. */
  slot_not_free: None
  unknown_service: None
  resource_not_of_service: None
  booking_nameless: None
  appointment_too_far: { days: number }
  /** A warning: it was booked all the same. */
  outside_opening_hours: None
  reminder_flow_off: None
  reminder_too_late: None
  /** The reminder was due before the service was restored from a backup. */
  reminder_restored: None
  /** The appointment changed again, and the notice of that change replaces this one. */
  notice_superseded: None
  notice_too_late: None
  notice_no_way: None
  /** The recipient's daily or the company's hourly maximum of notices is reached. */
  notice_too_many: None
  notice_not_mailed: None
  notice_mail_unknown: None
  /** The notice was due before the service was restored from a backup. */
  notice_restored: None
  calendar_reads_a_minute: None
  no_such_calendar_link: None
  calendar_links_full: { max: number }
}
