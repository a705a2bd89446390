import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { wallAt } from '../../rules/time/zone.ts'
import type { AppointmentSource } from '../../core/vocabulary/appointments.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { BookingContact } from './booking-contacts.ts'
import { planNotices } from './plan-notices.sql.ts'
import { planReminders } from './plan-reminders.sql.ts'
import type { BookableService } from './slot-inputs.sql.ts'

/** An appointment to be written, with its resources and its customer. */
export type NewAppointment = {
  source: AppointmentSource
  service: BookableService
  zone: string
  startsAt: Date
  resourceIds: readonly string[]
  bookingContact: BookingContact
  language: Language | null
  requestKey: string
  /** The member who booked it. */
  personId: string | null
  /** The run that booked it. */
  runId: string | null
}

/** The alphabet of references, without characters that look alike. */
const REFERENCE_SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const REFERENCE_CHARS = 8

/**
 * Inserts appointments, their busy times and the first entries of their histories, in one statement; plans their
 * reminders and notices. Returns their ids in order.
 *
 * Isolation: their resources are locked by the caller, who has checked that they are free; otherwise the constraint
 * `appointment_busy_once` aborts the transaction.
 */
export async function writeBookings(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  bookings: readonly NewAppointment[],
): Promise<string[]> {
  if (bookings.length === 0) return []
  const { ids, now } = deps
  const rows = bookings.map((booking) => ({
    ...booking,
    id: ids.uuid(),
    entryId: ids.uuid(),
    reference: newReference(ids),
    ...timesOf(booking.service, booking.startsAt),
  }))
  const taken = rows.flatMap((row) =>
    row.resourceIds.map((resourceId) => ({
      resourceId,
      appointmentId: row.id,
      companyId: row.service.companyId,
      from: row.busyFrom,
      to: row.busyTo,
    })),
  )
  await sql`
    with input as (
      select * from unnest(${rows.map((row) => row.id)}::uuid[],
        ${rows.map((row) => row.service.companyId)}::uuid[],
        ${rows.map((row) => row.reference)}::text[], ${rows.map((row) => row.service.id)}::uuid[],
        ${rows.map((row) => row.service.name)}::text[],
        ${rows.map((row) => row.service.nameAr)}::text[],
        ${rows.map((row) => row.startsAt)}::timestamptz[],
        ${rows.map((row) => row.endsAt)}::timestamptz[], ${rows.map((row) => row.zone)}::text[],
        ${rows.map((row) => localStart(row.zone, row.startsAt))}::text[],
        ${rows.map((row) => row.bookingContact.contactId)}::uuid[],
        ${rows.map((row) => row.bookingContact.conversationId)}::text[],
        ${rows.map((row) => row.bookingContact.name)}::text[], ${rows.map((row) => row.bookingContact.phone)}::text[],
        ${rows.map((row) => row.bookingContact.rawPhone)}::text[],
        ${rows.map((row) => row.bookingContact.email)}::text[], ${rows.map((row) => row.language)}::text[],
        ${rows.map((row) => row.source)}::text[], ${rows.map((row) => row.requestKey)}::text[],
        ${rows.map((row) => row.personId)}::uuid[], ${rows.map((row) => row.entryId)}::uuid[],
        ${rows.map((row) => ACTORS[row.source])}::text[],
        ${rows.map((row) => row.personId ?? row.runId)}::uuid[])
        as booking (id, company_id, reference, service_id, service_name, service_name_ar, starts_at,
          ends_at, zone, local_start, contact_id, conversation_id, customer_name, phone, raw_phone,
          email, language, source, request_key, created_by, entry_id, actor_kind, actor_id)
    ), made as (
      insert into appointment (id, company_id, reference, service_id, service_name, service_name_ar,
        starts_at, ends_at, zone, local_start, contact_id, conversation_id, customer_name, phone,
        raw_phone, email, language, source, request_key, created_by, created_at, updated_at)
      select id, company_id, reference, service_id, service_name, service_name_ar, starts_at, ends_at,
        zone, local_start, contact_id, conversation_id, customer_name, phone, raw_phone, email,
        language, source, request_key, created_by, ${now}, ${now} from input
    ), entries as (
      insert into appointment_entry (id, company_id, appointment_id, kind, actor_kind, actor_id, data, at)
      select entry_id, company_id, id, 'booked', actor_kind, actor_id,
        jsonb_build_object('startsAt', starts_at), ${now} from input
    )
    insert into appointment_busy (appointment_id, resource_id, company_id, busy)
    select appointment_id, resource_id, company_id, tstzrange(from_at, to_at)
    from unnest(${taken.map((row) => row.appointmentId)}::uuid[],
      ${taken.map((row) => row.resourceId)}::uuid[], ${taken.map((row) => row.companyId)}::uuid[],
      ${taken.map((row) => row.from)}::timestamptz[], ${taken.map((row) => row.to)}::timestamptz[])
      as input (appointment_id, resource_id, company_id, from_at, to_at)`.execute(tx)
  const appointmentIds = rows.map(({ id }) => id)
  await planReminders(tx, now, { appointmentIds })
  await planNotices(tx, deps, rows.flatMap(noticesOf))
  return appointmentIds
}

/** Returns the notice of a booking. Flows and the assistant confirm theirs in the conversation. */
function noticesOf({ id, source, service: { companyId } }: NewAppointment & { id: string }) {
  if (source !== 'booking_page' && source !== 'staff') return []
  const by = source === 'staff' ? ('member' as const) : ('customer' as const)
  return [{ companyId, appointmentId: id, version: 1, kind: 'booked' as const, by }]
}

const ACTORS: Record<AppointmentSource, 'member' | 'customer' | 'flow' | 'assistant'> = {
  staff: 'member',
  booking_page: 'customer',
  flow: 'flow',
  assistant: 'assistant',
}

/** Returns the end of an appointment with this start, and its busy time with buffers. Lengths are elapsed time. */
export function timesOf(
  { minutes, beforeMin, afterMin }: Pick<BookableService, 'minutes' | 'beforeMin' | 'afterMin'>,
  startsAt: Date,
) {
  const endsAt = new Date(startsAt.getTime() + minutes * MINUTE_MS)
  return {
    endsAt,
    busyFrom: new Date(startsAt.getTime() - beforeMin * MINUTE_MS),
    busyTo: new Date(endsAt.getTime() + afterMin * MINUTE_MS),
  }
}

/** Returns the local time of the start: `2027-02-08T10:30`. */
export function localStart(zone: string, startsAt: Date): string {
  return new Date(wallAt(zone, startsAt.getTime())).toISOString().slice(0, 16)
}

function newReference(ids: Ids): string {
  const bytes = Buffer.from(ids.token(REFERENCE_CHARS), 'base64url')
  return [...bytes].map((byte) => REFERENCE_SIGNS[byte % REFERENCE_SIGNS.length]).join('')
}
