/** The numbers of appointments, each with its unit in the name. All ours. */
import { DAY_MS, HOUR_MS, SECOND_MS } from './units.ts'

/** What can be booked, and when. Spec: Appointments › Services; Appointments › Hours. */
export const BOOKING_SETUP_LIMITS = {
  services: 200,
  resources: 100,
  nameChars: 80,
  /** Of a service: resources that it may take, and roles of which an appointment takes one each. */
  needs: 50,
  roles: 5,
  roleChars: 40,
  leastMinutes: 5,
  minutes: 24 * 60,
  bufferMin: 8 * 60,
  leastStepMin: 5,
  stepMin: 24 * 60,
  /** Rows of hours of one resource on one weekday. */
  hoursOfDay: 8,
  /** Rows of other days, of a company. */
  openingChanges: 1_000,
  /** Hours end at 36:00 of their day. */
  lastMin: 36 * 60,
  slugLeastChars: 3,
  slugChars: 60,
  introChars: 1_000,
  addressChars: 300,
  phoneChars: 40,
  minNoticeMin: 90 * 24 * 60,
  maxDays: 365,
  cancelUntilMin: 30 * 24 * 60,
} as const

/** How a company is booked until it says otherwise. Spec: Appointments › Booking page. */
export const BOOKING_DEFAULTS = {
  minNoticeMin: 60,
  maxDays: 60,
  cancelUntilMin: 2 * 60,
} as const

/** Spec: Appointments › Booking. */
export const APPOINTMENT_LIMITS = {
  /** Coming appointments of one number, or of one e-mail address, that were not made by members. */
  comingOfCustomer: 3,
  bookingsPerAddressPerHour: 10,
  nameChars: 200,
  reasonChars: 500,
  requestKeyLeastChars: 16,
  requestKeyChars: 100,
  /** How far behind and ahead members may book and move, in days. */
  memberDays: 2 * 365,
  /** Of a company's, where those outside of the hours are looked for. */
  comingLookedAt: 5_000,
  /** Longest range of days of which slots are asked for. */
  slotDays: 31,
} as const

/** Spec: Appointments › Reminders. */
export const REMINDER_LIMITS = {
  /** Reminders that begin in one transaction. */
  page: 100,
  /** Before the start, of a flow that reminds. */
  leastMinutesBefore: 5,
  minutesBefore: 30 * 24 * 60,
  afterFaultMs: 60 * SECOND_MS,
} as const

/** Spec: Appointments › What the customer is told. */
export const APPOINTMENT_NOTICE_LIMITS = {
  /** Of what was done on pages of customers: to one number, or one e-mail address, of a company in a day. */
  toRecipientPerDay: 5,
  recipientMs: DAY_MS,
  /** The same, of a company in an hour. */
  ofCompanyPerHour: 200,
  companyMs: HOUR_MS,
  /** Conversations that are looked at for one in which it can be told. */
  conversations: 10,
  afterFaultMs: 60 * SECOND_MS,
} as const

/** Spec: Appointments › Calendars. */
export const CALENDAR_LIMITS = {
  /** Of one member, in a company. */
  links: 50,
  readsPerAddressPerMinute: 60,
  pastDays: 30,
  comingDays: 365,
  appointments: 5_000,
} as const
