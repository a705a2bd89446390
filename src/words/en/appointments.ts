import type { AppointmentFacts } from '../../facts/appointments.ts'
import { counted } from '../counted.ts'
import type { Sentences } from '../sentences.ts'

const OVER: Readonly<Record<string, string>> = {
  completed: 'The appointment is marked as completed.',
  no_show: 'The appointment is marked as one to which nobody came.',
}

export const EN_APPOINTMENTS: Sentences<AppointmentFacts> = {
  no_such_appointment: () => 'The company has no such appointment.',
  appointment_cancelled: () => 'The appointment was cancelled. Book a new one instead.',
  appointment_over: ({ status }) =>
    OVER[status] ?? 'The appointment is over. It can no longer be changed in this way.',
  appointment_not_begun: () =>
    'The appointment has not begun. Say afterwards whether the customer came.',
  slot_not_free: () =>
    'A person or room that it needs is taken at this time. Choose another time, or somebody else.',
  unknown_service: () => 'must be a service of this company',
  resource_not_of_service: () => 'must be a person or room that the service can take, switched on',
  booking_nameless: () => 'Name a contact, or give a name, a phone or an e-mail address',
  appointment_too_far: ({ days }) => `must be within ${counted(days, 'day', 'days')} from now`,
  outside_opening_hours: () => 'This is outside the opening hours. It was booked all the same.',
  reminder_flow_off: () => 'The flow that reminds was not running.',
  reminder_too_late: () => 'The appointment had begun before anybody could be reminded.',
  reminder_restored: () =>
    'The service was restored from a backup. Whether the customer was reminded since it was made is not known: no reminder was sent.',
  notice_superseded: () => 'The appointment was changed again before the customer was told.',
  notice_too_late: () => 'The appointment had begun before the customer could be told.',
  notice_no_way: () =>
    'The customer has no conversation in which a message may be sent now, and gave no e-mail address that can be used. Tell them yourself.',
  notice_too_many: () =>
    'Too many messages about bookings on the booking page went to this customer in a day, or out in an hour. Tell them yourself.',
  notice_not_mailed: () => 'The mail server did not take the e-mail. Tell the customer yourself.',
  notice_mail_unknown: () =>
    'The service stopped while the e-mail was being sent. Whether it arrived is not known, and it is not sent twice.',
  notice_restored: () =>
    'The service was restored from a backup. Whether the customer was told since it was made is not known: nothing was sent.',
  calendar_reads_a_minute: () =>
    'Calendars were read too often from this address. Try again in a minute.',
  no_such_calendar_link: () => 'There is no such calendar link.',
  calendar_links_full: ({ most }) =>
    `A member has at most ${counted(most, 'calendar link', 'calendar links')}. Delete one first.`,
}
