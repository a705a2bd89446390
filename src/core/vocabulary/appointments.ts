/** The statuses of an appointment. Spec: Events › Words in payloads. */
export const APPOINTMENT_STATUSES = ['confirmed', 'cancelled', 'no_show', 'completed'] as const
export type AppointmentStatus = (typeof APPOINTMENT_STATUSES)[number]

/** Sources of appointments. Spec: Appointments › Booking. */
export const APPOINTMENT_SOURCES = ['assistant', 'booking_page', 'flow', 'staff'] as const
export type AppointmentSource = (typeof APPOINTMENT_SOURCES)[number]

/** Actors who cancelled an appointment: the customer by their link or in a conversation, or a member. */
export const APPOINTMENT_CANCELLERS = ['link', 'assistant', 'flow', 'member'] as const
export type AppointmentCanceller = (typeof APPOINTMENT_CANCELLERS)[number]

/** Kinds of entries in an appointment's history. Extensible. Spec: Appointments › History. */
export const APPOINTMENT_ENTRY_KINDS = [
  'booked',
  'moved',
  'cancelled',
  'completed',
  'no_show',
] as const
export type AppointmentEntryKind = (typeof APPOINTMENT_ENTRY_KINDS)[number]

/** Kinds of bookable resources. */
export const RESOURCE_KINDS = ['person', 'room'] as const
export type ResourceKind = (typeof RESOURCE_KINDS)[number]

/** Kinds of notices to customers. Spec: Appointments › Messages to the customer. */
export const APPOINTMENT_NOTICE_KINDS = ['booked', 'moved', 'cancelled'] as const
export type AppointmentNoticeKind = (typeof APPOINTMENT_NOTICE_KINDS)[number]

/** States of a notice. `unknown`: the mail server may or may not have accepted the e-mail, which is not sent again. */
export const APPOINTMENT_NOTICE_STATES = [
  'pending',
  'queued',
  'mailing',
  'mailed',
  'skipped',
  'unknown',
] as const
export type AppointmentNoticeState = (typeof APPOINTMENT_NOTICE_STATES)[number]
