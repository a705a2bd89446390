/** What is asked of a booking, and what becomes of it. */
import type { AppointmentSource, AppointmentStatus } from '../../core/vocabulary/appointments.ts'
import type { Country } from '../../core/vocabulary/countries.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { AppointmentRow, TakenResource } from './appointment.ts'

/** An appointment that a customer asks for, themselves or in a conversation. */
export type BookingRequest = {
  companyId: string
  source: Exclude<AppointmentSource, 'staff'>
  serviceId: string
  /** One of the service's resources that the customer wants; null: anyone. */
  resourceId: string | null
  startsAt: Date
  customer: BookingCustomer
  language: Language | null
  /** Of whoever asks, unique in the company: one request books once, however often it comes. */
  requestKey: string
  /** Of source `flow`: the run. */
  runId?: string
}

export type BookingCustomer = {
  /** Of a conversation. On the booking page null: found by the number or the e-mail address, or made. */
  contactId: string | null
  conversationId: string | null
  /** As they give themselves; null: as the contact is called. */
  name: string | null
  /** As it was typed; null: the contact's. */
  phone: string | null
  /** The country of a number without a country code. Without it the number is kept as it was typed. */
  country?: Country | null
  email: string | null
}

/**
 * `slot_taken`: somebody was quicker, or it is not offered (any more). `too_many`: the number or address
 * has as many coming appointments as it may. `not_bookable`: there is no such service, it is off, or of
 * the booking page, the page is.
 */
export type BookingRefusal = 'slot_taken' | 'too_many' | 'not_bookable'

export type BookingOutcome =
  | { outcome: 'booked'; appointment: BookedAppointment; isNew: boolean }
  | { outcome: BookingRefusal }

export type BookedAppointment = {
  id: string
  companyId: string
  reference: string
  serviceId: string
  serviceName: string
  serviceNameAr: string | null
  startsAt: Date
  endsAt: Date
  /** IANA name: days and hours are told in it. */
  zone: string
  status: AppointmentStatus
  customerName: string | null
  language: string | null
  /** The people and rooms that it takes. */
  resources: TakenResource[]
  contactId: string | null
  conversationId: string | null
  version: number
  /** The customer's secret link, `/a/{token}`: told now, kept nowhere. */
  token: string
}

export function bookedAppointment(row: AppointmentRow): Omit<BookedAppointment, 'token'> {
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
