import type { AppointmentFacts } from '../../core/facts/appointments.ts'
import { counted } from '../counted.ts'
import type { Catalog } from '../catalog.ts'

const OVER: Readonly<Record<string, string>> = {
  completed: 'The appointment is already marked as completed.',
  no_show: 'The appointment is already marked as a no-show.',
}

export const EN_APPOINTMENTS: Catalog<AppointmentFacts> = {
  no_such_appointment: () => 'No appointment with this ID.',
  appointment_cancelled: () => 'This appointment was cancelled. Book a new one instead.',
  appointment_over: ({ status }) =>
    OVER[status] ?? 'This appointment has ended and can no longer be changed this way.',
  appointment_not_begun: () =>
    'The appointment hasn’t started yet. You can mark it as completed or no-show afterwards.',
  slot_not_free: () =>
    'A person or room this service needs is already booked at that time. Choose another time or another person.',
  unknown_service: () => 'must be a service of this company',
  resource_not_of_service: () =>
    'must be a person or room that is switched on and that this service uses',
  booking_nameless: () => 'Choose a contact, or enter a name, phone number or email address',
  appointment_too_far: ({ days }) => `must be within ${counted(days, 'day', 'days')} from now`,
  outside_opening_hours: () => 'This is outside opening hours. It was booked anyway.',
  reminder_flow_off: () => 'The reminder flow wasn’t on.',
  reminder_too_late: () => 'The appointment started before a reminder could be sent.',
  reminder_restored: () =>
    'The service was restored from a backup, so we don’t know whether this reminder was already sent. It wasn’t sent again.',
  notice_superseded: () => 'The appointment changed again before the customer was notified.',
  notice_too_late: () => 'The appointment started before the customer could be notified.',
  notice_no_way: () =>
    'The customer has no conversation that allows a message now, and no usable email address. Contact them yourself.',
  notice_too_many: () =>
    'Too many messages about bookings from the booking page: to this customer in a day, or to everyone in an hour. Contact the customer yourself.',
  notice_not_mailed: () => 'The mail server rejected the email. Contact the customer yourself.',
  notice_mail_unknown: () =>
    'The service stopped while it was sending the email. It may or may not have arrived, and it won’t be sent twice.',
  notice_restored: () =>
    'The service was restored from a backup. The customer may have been notified after the backup, so nothing was sent.',
  calendar_reads_a_minute: () =>
    'Calendar links were read too often from this address. Try again in a minute.',
  no_such_calendar_link: () => 'No calendar link with this ID.',
  calendar_links_full: ({ max }) =>
    `You can have at most ${counted(max, 'calendar link', 'calendar links')}. Delete one first.`,
}
