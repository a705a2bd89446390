/** Requests for bookings, and their outcomes. */
import type { AppointmentSource, AppointmentStatus } from '../../core/vocabulary/appointments.ts'
import type { Country } from '../../core/vocabulary/countries.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { AppointmentRow, AppointmentResource } from './appointment.ts'

/** A booking that a customer requests, on the page or in a conversation. */
export type BookingRequest = {
  companyId: string
  source: Exclude<AppointmentSource, 'staff'>
  serviceId: string
  /** The resource of the service that the customer wants, or null for any. */
  resourceId: string | null
  startsAt: Date
  customer: BookingCustomer
  language: Language | null
  /** The key of the request, unique in the company: repeated requests book once. */
  requestKey: string
  /** The run, for source `flow`. */
  runId?: string
}

/** The customer of a requested booking. */
export type BookingCustomer = {
  /** The contact of a conversation. On the booking page null: found by number or e-mail address, or created. */
  contactId: string | null
  conversationId: string | null
  /** The name as typed, or null for the contact's. */
  name: string | null
  /** The number as typed, or null for the contact's. */
  phone: string | null
  /** The country of a number without a country code. Without a country the number is stored as typed. */
  country?: Country | null
  email: string | null
}

/**
 * The reason of a refused booking. With `slot_taken`, the slot was taken, or is not offered. With `too_many`, the
 * number or address has the maximum of upcoming appointments. With `not_bookable`, the service does not exist or is
 * off, or the booking page is off.
 */
export type BookingRefusal = 'slot_taken' | 'too_many' | 'not_bookable'

/** The outcome of a booking. */
export type BookingOutcome =
  | { outcome: 'booked'; appointment: BookedAppointment; isNew: boolean }
  | { outcome: BookingRefusal }

/** An appointment as its customer sees it. */
export type BookedAppointment = {
  id: string
  companyId: string
  reference: string
  serviceId: string
  serviceName: string
  serviceNameAr: string | null
  startsAt: Date
  endsAt: Date
  /** The IANA time zone of its dates and times. */
  zone: string
  status: AppointmentStatus
  customerName: string | null
  language: string | null
  /** The resources that it occupies. */
  resources: AppointmentResource[]
  contactId: string | null
  conversationId: string | null
  version: number
  /** The token of the customer's secret link, `/a/{token}`, which is stored only as a hash. */
  token: string
}

/** Converts an appointment's row to what its customer is shown. */
export function toBookedAppointment(row: AppointmentRow): Omit<BookedAppointment, 'token'> {
  return {
    id: row.id,
    companyId: row.companyId,
    reference: row.reference,
    serviceId: row.serviceId,
    serviceName: row.serviceName,
    serviceNameAr: row.serviceNameAr,
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    zone: row.zone,
    status: row.status as AppointmentStatus,
    customerName: row.customerName,
    language: row.language,
    resources: row.resources,
    contactId: row.contactId,
    conversationId: row.conversationId,
    version: row.version,
  }
}
