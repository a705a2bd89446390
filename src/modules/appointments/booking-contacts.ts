/** Customers who book: their details, their contacts, and how many upcoming appointments they have. */
import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { createContacts } from '../messaging/create-contacts.ts'
import { numberIdentifier } from '../../rules/identity/identifier.ts'
import { readTypedPhone } from '../../rules/messaging/phone-reading.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { withLatinDigits } from '../../rules/text/latin-digits.ts'
import type { AppointmentSource } from '../../core/vocabulary/appointments.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { BookingCustomer } from './booking.ts'

/** A customer's details as an appointment stores them. A number without its country identifies no contact. */
export type BookingContact = {
  contactId: string | null
  conversationId: string | null
  name: string | null
  phone: string | null
  rawPhone: string | null
  email: string | null
}

/** The name and number of an existing contact. */
export type KnownContact = { id: string; name: string | null; phone: string | null }

/**
 * Returns the name and address of the customer who books: as typed, else the contact's. Spec: Appointments › Customers.
 */
export function bookingContactOf(
  customer: BookingCustomer,
  contact: KnownContact | undefined,
): BookingContact {
  const { contactId, conversationId } = customer
  const name = customer.name === null ? (contact?.name ?? null) : cleanText(customer.name).trim()
  const email = customer.email && cleanText(customer.email).trim()
  const known = { contactId, conversationId, name: name || null, email: email || null }
  const typed = customer.phone && cleanText(customer.phone).trim()
  if (!typed) return { ...known, phone: contact?.phone ?? null, rawPhone: null }
  const read = readTypedPhone(typed, customer.country ?? null)
  if (read.ok) return { ...known, phone: read.value, rawPhone: null }
  return { ...known, phone: null, rawPhone: withLatinDigits(typed).replaceAll(/[\s()./-]/g, '') }
}

/** Loads contacts of the companies by id, and locks them against merges until the commit. */
export async function lockKnownContacts(
  tx: Transaction<DB>,
  requested: readonly { companyId: string; contactId: string | null }[],
): Promise<Map<string, KnownContact>> {
  const ids = [...new Set(requested.flatMap(({ contactId }) => contactId ?? []))]
  if (ids.length === 0) return new Map()
  const { rows } = await sql<KnownContact>`
    select id, name, phone from contact
    where id = any(${ids}::uuid[])
      and company_id = any(${requested.map(({ companyId }) => companyId)}::uuid[])
    order by id for key share`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

type WithBookingContact = {
  source: AppointmentSource
  service: { companyId: string }
  bookingContact: BookingContact
  language: Language | null
}

/**
 * Creates contacts for customers without one who gave a number or an e-mail address, on the page or to a member, and
 * raises `contact.created` for each. Returns all bookings, in order.
 *
 * Isolation: locked by the caller, by `lockTyped`.
 */
export async function createBookingContacts<Booking extends WithBookingContact>(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  bookings: readonly Booking[],
): Promise<Booking[]> {
  // Several bookings with one number, or with one address and no number, create one contact.
  const newBookingContacts = [
    ...new Map(bookings.filter(needsContact).map((one) => [newContactKey(one), one])).values(),
  ]
  if (newBookingContacts.length === 0) return [...bookings]
  const companies = await tx
    .selectFrom('company')
    .select(['id', 'name'])
    .where(
      'id',
      'in',
      newBookingContacts.map(({ service }) => service.companyId),
    )
    .execute()
  const created = await createContacts(
    tx,
    deps,
    newBookingContacts.map(({ service, bookingContact, language, source }) => ({
      company: companies.find(({ id }) => id === service.companyId)!,
      name: bookingContact.name,
      phone: bookingContact.phone,
      rawPhone: bookingContact.rawPhone,
      email: bookingContact.email,
      language,
      tags: [],
      fields: {},
      source: source === 'staff' ? 'member' : 'booking_page',
    })),
  )
  const byKey = new Map(
    newBookingContacts.map((one, place) => [newContactKey(one), created[place]!]),
  )
  return bookings.map((booking) => {
    const contactId = needsContact(booking) ? byKey.get(newContactKey(booking)) : undefined
    return contactId === undefined
      ? booking
      : { ...booking, bookingContact: { ...booking.bookingContact, contactId } }
  })
}

/** Returns the key of a new customer: the number in any form of its line, else the address. */
function newContactKey({
  service: { companyId },
  bookingContact: { phone, rawPhone, email },
}: WithBookingContact): string {
  const number = phone === null ? rawPhone : numberIdentifier(phone.slice(1)).key
  return `${companyId} ${email !== null && phone === null ? email.toLowerCase() : number}`
}

function needsContact({ source, bookingContact }: WithBookingContact): boolean {
  const { contactId, phone, rawPhone, email } = bookingContact
  const comesByForm = source === 'booking_page' || source === 'staff'
  return comesByForm && contactId === null && (phone ?? rawPhone ?? email) !== null
}

/** Returns the names of the advisory locks of a customer who books: bookings that share one are serialized. */
export function bookingLockNames(companyId: string, bookingContact: BookingContact): string[] {
  const number = bookingContact.phone ?? bookingContact.rawPhone
  return [
    ...(number === null ? [] : [`number ${number}`]),
    ...(bookingContact.email === null ? [] : [`email ${bookingContact.email.toLowerCase()}`]),
    ...(bookingContact.contactId === null ? [] : [`contact ${bookingContact.contactId}`]),
  ].map((name) => `booker|${companyId}|${name}`)
}

/**
 * Returns the number of upcoming appointments of each customer, in order. Appointments made by members do not count.
 * Isolation: the customers are locked by the caller.
 */
export async function countUpcomingOfCustomers(
  tx: Transaction<DB>,
  now: Date,
  bookingContacts: readonly { companyId: string; bookingContact: BookingContact }[],
): Promise<number[]> {
  if (bookingContacts.length === 0) return []
  const coming = sql`status = 'confirmed' and starts_at > ${now} and source <> 'staff'`
  const { rows } = await sql<{ count: number }>`
    select (select count(*)::int from (
        select id from appointment where appointment.company_id = asked.company_id and ${coming}
          and coalesce(phone, raw_phone) = asked.number
        union
        select id from appointment where appointment.company_id = asked.company_id and ${coming}
          and lower(appointment.email) = lower(asked.email)
        union
        select id from appointment where appointment.contact_id = asked.contact_id and ${coming}
      ) theirs) as count
    from unnest(${bookingContacts.map(({ companyId }) => companyId)}::uuid[],
      ${bookingContacts.map(({ bookingContact }) => bookingContact.phone ?? bookingContact.rawPhone)}::text[],
      ${bookingContacts.map(({ bookingContact }) => bookingContact.email)}::text[],
      ${bookingContacts.map(({ bookingContact }) => bookingContact.contactId)}::uuid[])
      with ordinality as asked (company_id, number, email, contact_id, place)
    order by place`.execute(tx)
  return rows.map(({ count }) => count)
}
