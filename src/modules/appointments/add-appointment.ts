import { sql, type Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { loadCompany } from '../accounts/load-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { AddAppointment, ArrangedAppointment } from '../../contract/dashboard/appointment.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { APPOINTMENT_LIMITS } from '../../core/limits/appointments.ts'
import { DAY_MS } from '../../core/limits/units.ts'
import { advisoryLockKey, takeAdvisoryLocks } from '../messaging/lock-customer.ts'
import { pickFree } from '../../rules/appointments/pick-free.ts'
import { ServiceError, wrongField } from '../../core/service-error.ts'
import { readAppointments } from './appointment.ts'
import {
  lockKnownContacts,
  createBookingContacts,
  bookingContactOf,
  type BookingContact,
} from './booking-contacts.ts'
import { findContactOfTyped, lockTyped } from '../messaging/find-contact-of-typed.ts'
import { lockServices } from './lock-services.sql.ts'
import { filterByWanted } from './plan-bookings.ts'
import { loadSlotInputs } from './slot-inputs.sql.ts'
import { viewAppointment } from './view-appointment.ts'
import { writeBookings } from './write-bookings.sql.ts'

type Input = AddAppointment & { companyId: string }

/**
 * Books an appointment by a member: outside opening hours is a warning, a taken slot is refused. No event is raised,
 * except for a new contact. A request key books at most once.
 *
 * @throws slot_taken; invalid for an unknown service, resource or contact
 * Spec: Appointments › Members.
 */
export async function addAppointment(
  { db, ids, clock, formatFact }: Context & { formatFact: FormatFact },
  actor: Actor,
  input: Input,
): Promise<ArrangedAppointment> {
  const { companyId } = input
  requireNearDate(input.startsAt, clock.now())
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await loadCompany(tx, actor, companyId)
    const requestKey = `member ${input.key}`
    const bookingContact = await findBookingContact(tx, input)
    await takeAdvisoryLocks(tx, [advisoryLockKey(`booking|${companyId}|${requestKey}`)])
    const [earlier] = await readAppointments(
      tx,
      sql`appointment.company_id = ${companyId} and request_key = ${requestKey}`,
    )
    if (earlier) return { ...viewAppointment(earlier), warnings: [] }
    const { isOutsideHours, ...slot } = await assignSlot(tx, input)
    const { startsAt, language } = input
    const booking = {
      ...slot,
      source: 'staff' as const,
      startsAt,
      language,
      bookingContact,
      requestKey,
    }
    const [known] = await createBookingContacts(tx, { ids, now }, [
      { ...booking, personId: actor.personId, runId: null },
    ])
    const [id] = await writeBookings(tx, { ids, now }, [known!])
    const [row] = await readAppointments(tx, sql`appointment.id = ${id!}`)
    await audit('appointment.booked', { id: id!, companyId }, { reference: row!.reference })
    const warnings = isOutsideHours ? [formatFact(fact('outside_opening_hours'))] : []
    return { ...viewAppointment(row!), warnings }
  })
}

/** Rejects a time that is years off, which is a typo. @throws invalid */
export function requireNearDate(startsAt: Date, now: Date): void {
  const days = APPOINTMENT_LIMITS.memberDays
  if (Math.abs(startsAt.getTime() - now.getTime()) <= days * DAY_MS) return
  throw wrongField('startsAt', fact('appointment_too_far', { days }))
}

async function findBookingContact(tx: Transaction<DB>, input: Input): Promise<BookingContact> {
  const { companyId, contactId = null, name = null, phone = null, email = null } = input
  const { country = null } = input
  const typed = { contactId, conversationId: null, name, phone, country, email }
  if (contactId !== null) {
    const contact = (await lockKnownContacts(tx, [{ companyId, contactId }])).get(contactId)
    if (!contact) throw wrongField('contactId', fact('unknown_contact'))
    return bookingContactOf(typed, contact)
  }
  const bookingContact = bookingContactOf(typed, undefined)
  await lockTyped(tx, companyId, bookingContact)
  const found = await findContactOfTyped(tx, companyId, bookingContact)
  const locked = await lockKnownContacts(tx, [{ companyId, contactId: found }])
  return { ...bookingContact, contactId: found && locked.has(found) ? found : null }
}

async function assignSlot(
  tx: Transaction<DB>,
  { companyId, serviceId, resourceId, startsAt }: Input,
) {
  await lockServices(tx, [serviceId])
  const range = { from: startsAt, to: startsAt }
  const facts = (await loadSlotInputs(tx, [{ companyId, serviceId }], range)).get(serviceId)
  if (!facts || facts.service.isDeleted) throw wrongField('serviceId', fact('unknown_service'))
  const resources = filterByWanted(facts.resources, resourceId)
  if (resourceId !== null && resources.length === 0) {
    throw wrongField('resourceId', fact('resource_not_of_service'))
  }
  const picked = pickFree({ ...facts, resources }, startsAt)
  if (!picked.ok) throw new ServiceError('slot_taken', fact('slot_not_free'))
  return { ...picked.value, service: facts.service, zone: facts.page.zone }
}
