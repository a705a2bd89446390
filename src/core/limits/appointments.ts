/** Internal numbers of appointments, each with its unit in the name. */
import { DAY_MS, HOUR_MS, SECOND_MS } from './units.ts'

/** Bounds of services, resources and hours. Spec: Appointments › Services; Appointments › Hours. */
export const BOOKING_SETUP_LIMITS = {
  services: 200,
  resources: 100,
  nameChars: 80,
  /** Resources that a service may use, and roles of which an appointment needs one resource each. */
  needs: 50,
  roles: 5,
  roleChars: 40,
  minMinutes: 5,
  minutes: 24 * 60,
  bufferMin: 8 * 60,
  minStepMin: 5,
  stepMin: 24 * 60,
  /** Rows of hours of one resource on one weekday. */
  hoursOfDay: 8,
  /** Rows of other days, of a company. */
  openingChanges: 1_000,
  /** Hours end at 36:00 of their day. */
  lastMin: 36 * 60,
  minSlugChars: 3,
  slugChars: 60,
  introChars: 1_000,
  addressChars: 300,
  phoneChars: 40,
  /** Highest values of the booking page's settings with these names, in minutes and days. */
  minNoticeMin: 90 * 24 * 60,
  maxDays: 365,
  cancelUntilMin: 30 * 24 * 60,
} as const

/** Booking settings of a company that has not changed them. Spec: Appointments › Booking page. */
export const BOOKING_DEFAULTS = { minNoticeMin: 60, maxDays: 60, cancelUntilMin: 2 * 60 } as const

/**
 * Limits of one appointment, of its booking by a customer, and of searches for free times. Spec: Appointments ›
 * Booking.
 */
export const APPOINTMENT_LIMITS = {
  /** Coming appointments of one number, or of one e-mail address, that were not made by members. */
  comingOfCustomer: 3,
  bookingsPerAddressPerHour: 10,
  nameChars: 200,
  reasonChars: 500,
  minRequestKeyChars: 16,
  requestKeyChars: 100,
  /** Days into the past and the future within which members may book and move. */
  memberDays: 2 * 365,
  /** Upcoming appointments that are read at a time and checked against hours or clocks that changed. */
  comingPerRead: 1_000,
  /** Longest range of days for which free times are computed. */
  slotDays: 31,
} as const

/** Limits of appointment reminders. Spec: Appointments › Reminders. */
export const REMINDER_LIMITS = {
  /** Reminders that begin in one transaction. */
  page: 100,
  /** Range of minutes before the start at which a flow may send a reminder. */
  minMinutesBefore: 5,
  minutesBefore: 30 * 24 * 60,
  retryMs: 60 * SECOND_MS,
} as const

/**
 * Limits of the messages that tell a customer of a changed appointment. Spec: Appointments › Messages to the
 * customer.
 */
export const APPOINTMENT_NOTICE_LIMITS = {
  /** Notices of changes made on customers' pages: to one number or e-mail address of a company in a day. */
  toRecipientPerDay: 5,
  recipientMs: DAY_MS,
  /** Such notices of one company in an hour. */
  ofCompanyPerHour: 200,
  companyMs: HOUR_MS,
  /** Conversations that are checked for one that can carry the notice. */
  conversations: 10,
  retryMs: 60 * SECOND_MS,
} as const

/** Limits of calendar links and of the calendars that they return. Spec: Appointments › Calendars. */
export const CALENDAR_LIMITS = {
  /** Calendar links of one member in a company. */
  links: 50,
  readsPerAddressPerMinute: 60,
  pastDays: 30,
  comingDays: 365,
  appointments: 5_000,
} as const
