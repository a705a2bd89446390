/** Customers who book: their details, their contacts, and how many upcoming appointments they have. */
import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { createContacts } from '../messaging/create-contacts.ts'
import { numberIdentifier } from '../../rules/identity/identifier.ts'
import { readWritten } from '../../rules/messaging/phone-reading.ts'
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

/** An existing contact. */
export type KnownContact = { id: string; name: string | null; phone: string | null }

/**
 * Returns the name and address of the customer who books: as typed, else the contact's. Spec: Appointments › Customers.
 */
export function readBooker(
  customer: BookingCustomer,
  contact: KnownContact | undefined,
): BookingContact {
  const { contactId, conversationId } = customer
  const name = customer.name === null ? (contact?.name ?? null) : cleanText(customer.name).trim()
  const email = customer.email && cleanText(customer.email).trim()
  const known = { contactId, conversationId, name: name || null, email: email || null }
  const typed = customer.phone && cleanText(customer.phone).trim()
  if (!typed) return { ...known, phone: contact?.phone ?? null, rawPhone: null }
  const read = readWritten(typed, customer.country ?? null)
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

type WithBooker = {
  source: AppointmentSource
  service: { companyId: string }
  booker: BookingContact
  language: Language | null
}

/**
 * Creates contacts for customers without one who gave a number or an e-mail address, on the page or to a member, and
 * raises `contact.created` for each. Returns all bookings, in order.
 *
 * Isolation: locked by the caller, by `lockTyped`.
 */
export async function createBookersContacts<Booking extends WithBooker>(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  bookings: readonly Booking[],
): Promise<Booking[]> {
  // Several bookings with one number, or with one address and no number, create one contact.
  const newBookers = [
    ...new Map(bookings.filter(needsContact).map((one) => [newBookerKey(one), one])).values(),
  ]
  if (newBookers.length === 0) return [...bookings]
  const companies = await tx
    .selectFrom('company')
    .select(['id', 'name'])
    .where(
      'id',
      'in',
      newBookers.map(({ service }) => service.companyId),
    )
    .execute()
  const created = await createContacts(
    tx,
    deps,
    newBookers.map(({ service, booker, language, source }) => ({
      company: companies.find(({ id }) => id === service.companyId)!,
      name: booker.name,
      phone: booker.phone,
      rawPhone: booker.rawPhone,
      email: booker.email,
      language,
      tags: [],
      fields: {},
      source: source === 'staff' ? 'member' : 'booking_page',
    })),
  )
  const byKey = new Map(newBookers.map((one, place) => [newBookerKey(one), created[place]!]))
  return bookings.map((booking) => {
    const contactId = needsContact(booking) ? byKey.get(newBookerKey(booking)) : undefined
    return contactId === undefined
      ? booking
      : { ...booking, booker: { ...booking.booker, contactId } }
  })
}

/** Returns the key of a new customer: the number in any form of its line, else the address. */
function newBookerKey({
  service: { companyId },
  booker: { phone, rawPhone, email },
}: WithBooker): string {
  const number = phone === null ? rawPhone : numberIdentifier(phone.slice(1)).key
  return `${companyId} ${email !== null && phone === null ? email.toLowerCase() : number}`
}

function needsContact({ source, booker }: WithBooker): boolean {
  const { contactId, phone, rawPhone, email } = booker
  const comesByForm = source === 'booking_page' || source === 'staff'
  return comesByForm && contactId === null && (phone ?? rawPhone ?? email) !== null
}

/** Returns the names of the advisory locks of a customer who books: bookings that share one are serialized. */
export function bookerNames(companyId: string, booker: BookingContact): string[] {
  const number = booker.phone ?? booker.rawPhone
  return [
    ...(number === null ? [] : [`number ${number}`]),
    ...(booker.email === null ? [] : [`email ${booker.email.toLowerCase()}`]),
    ...(booker.contactId === null ? [] : [`contact ${booker.contactId}`]),
  ].map((name) => `booker|${companyId}|${name}`)
}

/**
 * Returns the number of upcoming appointments of each customer, in order. Appointments made by members do not count.
 * Isolation: the customers are locked by the caller.
 */
export async function countComing(
  tx: Transaction<DB>,
  now: Date,
  bookers: readonly { companyId: string; booker: BookingContact }[],
): Promise<number[]> {
  if (bookers.length === 0) return []
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
    from unnest(${bookers.map(({ companyId }) => companyId)}::uuid[],
      ${bookers.map(({ booker }) => booker.phone ?? booker.rawPhone)}::text[],
      ${bookers.map(({ booker }) => booker.email)}::text[],
      ${bookers.map(({ booker }) => booker.contactId)}::uuid[])
      with ordinality as asked (company_id, number, email, contact_id, place)
    order by place`.execute(tx)
  return rows.map(({ count }) => count)
}
