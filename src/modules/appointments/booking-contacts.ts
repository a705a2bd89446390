/** Who books: what is known of them, whose contact they are, and how many appointments they have coming. */
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

/** As an appointment has them. A number without its country is matched to nobody. */
export type BookingContact = {
  contactId: string | null
  conversationId: string | null
  name: string | null
  phone: string | null
  rawPhone: string | null
  email: string | null
}

export type KnownContact = { id: string; name: string | null; phone: string | null }

/**
 * What an appointment notes of its customer: what was typed with it, and of what was not the contact's.
 * Spec: Appointments › Customers.
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

/** Contacts of the companies by id, held so that none is merged away before the commit. */
export async function holdKnownContacts(
  tx: Transaction<DB>,
  asked: readonly { companyId: string; contactId: string | null }[],
): Promise<Map<string, KnownContact>> {
  const ids = [...new Set(asked.flatMap(({ contactId }) => contactId ?? []))]
  if (ids.length === 0) return new Map()
  const { rows } = await sql<KnownContact>`
    select id, name, phone from contact
    where id = any(${ids}::uuid[])
      and company_id = any(${asked.map(({ companyId }) => companyId)}::uuid[])
    order by id for key share`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

type OfBooker = {
  source: AppointmentSource
  service: { companyId: string }
  booker: BookingContact
  language: Language | null
}

/**
 * Makes contacts of those who are nobody's and gave a number or an e-mail address, on the page or to a
 * member, and raises `contact.created` for each. Others stay as they are. Answers all, in their order.
 *
 * Isolation: locked by the caller, by `lockTyped`.
 */
export async function makeBookersContacts<Booking extends OfBooker>(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  bookings: readonly Booking[],
): Promise<Booking[]> {
  // Several bookings with one number, or with one address and no number, make one contact.
  const strangers = [
    ...new Map(bookings.filter(isStranger).map((one) => [strangerKey(one), one])).values(),
  ]
  if (strangers.length === 0) return [...bookings]
  const companies = await tx
    .selectFrom('company')
    .select(['id', 'name'])
    .where(
      'id',
      'in',
      strangers.map(({ service }) => service.companyId),
    )
    .execute()
  const made = await createContacts(
    tx,
    deps,
    strangers.map(({ service, booker, language, source }) => ({
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
  const byKey = new Map(strangers.map((one, place) => [strangerKey(one), made[place]!]))
  return bookings.map((booking) => {
    const contactId = isStranger(booking) ? byKey.get(strangerKey(booking)) : undefined
    return contactId === undefined
      ? booking
      : { ...booking, booker: { ...booking.booker, contactId } }
  })
}

/** By what a stranger who books is known again: a number in any form of its line, else an address. */
function strangerKey({
  service: { companyId },
  booker: { phone, rawPhone, email },
}: OfBooker): string {
  const number = phone === null ? rawPhone : numberIdentifier(phone.slice(1)).key
  return `${companyId} ${email !== null && phone === null ? email.toLowerCase() : number}`
}

function isStranger({ source, booker }: OfBooker): boolean {
  const { contactId, phone, rawPhone, email } = booker
  const comesByForm = source === 'booking_page' || source === 'staff'
  return comesByForm && contactId === null && (phone ?? rawPhone ?? email) !== null
}

/** By what somebody who books is known again: two who are one in any of these wait for each other. */
export function bookerNames(companyId: string, booker: BookingContact): string[] {
  const number = booker.phone ?? booker.rawPhone
  return [
    ...(number === null ? [] : [`number ${number}`]),
    ...(booker.email === null ? [] : [`email ${booker.email.toLowerCase()}`]),
    ...(booker.contactId === null ? [] : [`contact ${booker.contactId}`]),
  ].map((name) => `booker|${companyId}|${name}`)
}

/**
 * The coming appointments of each that members did not make: by their places.
 * Isolation: those who book are locked by the caller.
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
