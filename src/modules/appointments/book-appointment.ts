/** Bookings by customers, on the booking page and in conversations. Spec: Appointments › Booking. */
import { sql, type Kysely, type Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { advisoryLockKey, takeAdvisoryLocks } from '../messaging/lock-customer.ts'
import {
  appointmentEvent,
  raiseOrDefer,
  readAppointments,
  type AppointmentDeps,
  type AppointmentRow,
} from './appointment.ts'
import { makeAppointmentLinks } from './appointment-links.ts'
import {
  bookingLockNames,
  countUpcomingOfCustomers,
  lockKnownContacts,
  createBookingContacts,
  bookingContactOf,
  type BookingContact,
} from './booking-contacts.ts'
import { findContactOfTyped, lockTyped } from '../messaging/find-contact-of-typed.ts'
import {
  toBookedAppointment,
  type BookedAppointment,
  type BookingOutcome,
  type BookingRequest,
} from './booking.ts'
import { lockServices } from './lock-services.sql.ts'
import { planBookings, type PlannedBooking } from './plan-bookings.ts'
import { loadSlotInputs } from './slot-inputs.sql.ts'
import { writeBookings, type NewAppointment } from './write-bookings.sql.ts'

type Deps = AppointmentDeps

/**
 * Books an appointment in its own transaction, or returns why not. On the booking page a known number or e-mail address
 * identifies a contact, which is neither changed nor disclosed; otherwise a contact is created. A slot that is visibly
 * taken is refused without waiting for locks.
 */
export async function bookAppointment(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  request: BookingRequest,
): Promise<BookingOutcome> {
  const { companyId, customer } = request
  if (await isSeenTaken(db.kysely, clock.now(), request)) return { outcome: 'slot_taken' }
  return transaction(db, async (tx) => {
    const bookingContact = bookingContactOf(customer, undefined)
    await lockTyped(tx, companyId, bookingContact)
    const contactId =
      customer.contactId ??
      (request.source === 'booking_page'
        ? await findContactOfTyped(tx, companyId, bookingContact)
        : null)
    const deps = { ids, now: clock.now() }
    const inputs = [{ ...request, customer: { ...customer, contactId } }]
    return (await bookAppointments(tx, deps, inputs))[0]!
  })
}

/**
 * Returns what a request has already booked, when it is repeated although nothing more may be booked. Waits for a
 * concurrent booking of it. Returns null without one.
 */
export async function findBooked(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  request: Keyed,
): Promise<BookedAppointment | null> {
  return transaction(db, async (tx) => {
    await takeAdvisoryLocks(tx, [advisoryLockKey(lockNameOf(request))])
    const [row] = (await findByRequestKeys(tx, [request])).values()
    if (!row) return null
    const links = await makeAppointmentLinks(tx, { ids, now: clock.now() }, [row])
    return { ...toBookedAppointment(row), token: links.get(row.id)! }
  })
}

async function isSeenTaken(db: Kysely<DB>, now: Date, request: BookingRequest): Promise<boolean> {
  const facts = await loadSlotInputs(db, [request], {
    from: request.startsAt,
    to: request.startsAt,
  })
  // A service deleted between the statements seems to need no resources; the locked check decides.
  if (facts.get(request.serviceId)?.resources.length === 0) return false
  const bookingContact = bookingContactOf(request.customer, undefined)
  const [placed] = planBookings(now, [{ request, bookingContact, coming: 0 }], facts)
  return placed!.refusal === 'slot_taken' && (await findByRequestKeys(db, [request])).size === 0
}

/**
 * Books in the caller's transaction, in few statements for any number of requests, each of which may be refused alone.
 * Outcomes are in the order of the requests, each of which sees earlier ones. Slots are computed again under locks, so
 * that one of several competitors gets a slot. Raises `appointment.booked` for each, after `contact.created` for new
 * contacts.
 *
 * Isolation: read committed. Conversations, runs and a number that may get a contact are locked by the caller; here
 * request keys and booking contacts, then services, then resources.
 */
export async function bookAppointments(
  tx: Transaction<DB>,
  deps: Deps,
  requests: readonly BookingRequest[],
): Promise<BookingOutcome[]> {
  if (requests.length === 0) return []
  const contacts = await lockKnownContacts(
    tx,
    requests.map(({ companyId, customer }) => ({ companyId, contactId: customer.contactId })),
  )
  const bookingContacts = requests.map(({ customer }) => {
    const contact = contacts.get(customer.contactId ?? '')
    return bookingContactOf({ ...customer, contactId: contact?.id ?? null }, contact)
  })
  await takeAdvisoryLocks(
    tx,
    requests
      .flatMap((request, index) => [
        lockNameOf(request),
        ...bookingLockNames(request.companyId, bookingContacts[index]!),
      ])
      .map(advisoryLockKey),
  )
  const earlier = await findByRequestKeys(tx, requests)
  const newInputs = requests.flatMap((request, index) =>
    earlier.has(keyOf(request)) ? [] : [{ request, bookingContact: bookingContacts[index]! }],
  )
  const placed = await assignSlots(tx, deps.now, newInputs)
  const booked = await writePlaced(tx, deps, placed)
  const rows = new Map([...earlier, ...booked])
  const links = await makeAppointmentLinks(tx, deps, [...rows.values()])
  const refusals = new Map(placed.map(({ request, refusal }) => [keyOf(request), refusal]))
  return requests.map((request) => {
    const key = keyOf(request)
    const row = rows.get(key)
    if (!row) return { outcome: refusals.get(key)! }
    const appointment = { ...toBookedAppointment(row), token: links.get(row.id)! }
    return { outcome: 'booked', appointment, isNew: booked.has(key) }
  })
}

type Keyed = Pick<BookingRequest, 'companyId' | 'requestKey'>

/** Returns the name under which a request is locked. */
const lockNameOf = ({ companyId, requestKey }: Keyed) => `booking|${companyId}|${requestKey}`

const keyOf = ({ companyId, requestKey }: Keyed) => `${companyId} ${requestKey}`

async function findByRequestKeys(
  db: Kysely<DB>,
  requests: readonly Keyed[],
): Promise<Map<string, AppointmentRow>> {
  const rows = await readAppointments(
    db,
    sql`(appointment.company_id, request_key) in (
      select * from unnest(${requests.map(({ companyId }) => companyId)}::uuid[],
        ${requests.map(({ requestKey }) => requestKey)}::text[]))`,
  )
  return new Map(rows.map((row) => [keyOf(row), row]))
}

type BookingInput = { request: BookingRequest; bookingContact: BookingContact }

async function assignSlots(
  tx: Transaction<DB>,
  now: Date,
  inputs: readonly BookingInput[],
): Promise<PlannedBooking<BookingRequest>[]> {
  if (inputs.length === 0) return []
  const requests = inputs.map(({ request }) => request)
  await lockServices(
    tx,
    requests.map(({ serviceId }) => serviceId),
  )
  const starts = requests.map(({ startsAt }) => startsAt.getTime())
  const range = { from: new Date(Math.min(...starts)), to: new Date(Math.max(...starts)) }
  const facts = await loadSlotInputs(tx, requests, range)
  const coming = await countUpcomingOfCustomers(
    tx,
    now,
    inputs.map(({ request, bookingContact }) => ({ companyId: request.companyId, bookingContact })),
  )
  return planBookings(
    now,
    inputs.map((one, index) => ({ ...one, coming: coming[index]! })),
    facts,
  )
}

async function writePlaced(
  tx: Transaction<DB>,
  deps: Deps,
  placed: readonly PlannedBooking<BookingRequest>[],
): Promise<Map<string, AppointmentRow>> {
  const toWrite = placed.flatMap(({ request, bookingContact, slot }): NewAppointment[] =>
    slot
      ? [
          {
            ...slot,
            bookingContact,
            source: request.source,
            startsAt: request.startsAt,
            language: request.language,
            requestKey: request.requestKey,
            personId: null,
            runId: request.runId ?? null,
          },
        ]
      : [],
  )
  if (toWrite.length === 0) return new Map()
  const known = await createBookingContacts(tx, deps, toWrite)
  const ids = await writeBookings(tx, deps, known)
  const rows = await readAppointments(tx, sql`appointment.id = any(${ids}::uuid[])`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const inOrder = ids.map((id) => byId.get(id)!)
  await raiseOrDefer(
    tx,
    deps,
    inOrder.map((row) => appointmentEvent('appointment.booked', row, deps.now)),
  )
  return new Map(inOrder.map((row) => [keyOf(row), row]))
}
