/** Appointments, what they are of and who keeps them, and their reminders. */
import { sql } from 'kysely'
import { BOOKING_DEFAULTS } from '../../../src/core/limits/appointments.ts'
import { HOUR_MS } from '../../../src/core/limits/units.ts'
import { wallTextAt } from '../../../src/rules/time/zone.ts'
import type { Company, FieldsOf, Recorded } from './records.ts'
import { add, insert, newIdOf, nowOf, read, readOne, remove, storeOf, update } from './records.ts'

type Of = { companyId?: string; serviceId?: string; contactId?: string; conversationId?: string }

/** Returns the appointments of a company, service, contact or conversation, by their start. */
export const appointmentsOf = (
  world: Recorded,
  { companyId, serviceId, contactId, conversationId }: Of,
) =>
  read(world, 'appointment', { companyId, serviceId, contactId, conversationId }, 'startsAt', 'id')

/** Changes the stored columns of an appointment, without an event. */
export const putAppointment = (world: Recorded, id: string, state: FieldsOf<'appointment'>) =>
  update(world, 'appointment', { id }, state)

/** Adds an hour that a member has booked, of one resource and past the hours. Returns its id. */
export async function addAppointment(
  world: Recorded,
  of: Company & { serviceId: string; resourceId: string; startsAt: Date; zone?: string },
): Promise<string> {
  const { companyId, serviceId, resourceId, startsAt, zone = 'Asia/Riyadh' } = of
  const [id, now] = [newIdOf(world), nowOf(world)]
  const endsAt = new Date(startsAt.getTime() + HOUR_MS)
  const keys = { id, companyId, serviceId, reference: id, requestKey: id }
  const times = { startsAt, endsAt, zone, localStart: wallTextAt(zone, startsAt) }
  const made = { serviceName: 'Cut', source: 'staff', createdAt: now, updatedAt: now }
  await insert(world, 'appointment', { ...keys, ...times, ...made })
  await sql`insert into appointment_busy (appointment_id, resource_id, company_id, busy)
    values (${id}, ${resourceId}, ${companyId}, tstzrange(${startsAt}, ${endsAt}))`.execute(
    storeOf(world),
  )
  return id
}

export const deleteAppointment = (world: Recorded, id: string) =>
  remove(world, 'appointment', { id })

/** Adds a reminder that was left out. */
export const addReminder = (
  world: Recorded,
  { companyId, flowId, appointmentId }: Company & { flowId: string; appointmentId: string },
) => {
  const skipped = { version: 1, dueAt: nowOf(world), state: 'skipped' }
  return insert(world, 'reminder', { companyId, flowId, appointmentId, ...skipped })
}

export const reminderOf = (world: Recorded, appointmentId: string) =>
  readOne(world, 'reminder', { appointmentId })

/** Returns the reminders of a company that are still to come, the next one first. */
export const pendingReminders = (world: Recorded, { companyId }: Company) =>
  read(world, 'reminder', { companyId, state: 'pending' }, 'dueAt', 'appointmentId')

type OneOrAll = { id?: string; companyId?: string }

/** Changes the stored columns of one service, or of all services of a company. */
export const putServices = (
  world: Recorded,
  { id, companyId }: OneOrAll,
  set: FieldsOf<'service'>,
) => update(world, 'service', { id, companyId }, set)

/** Adds a person who can be booked. Returns the id. */
export const addResource = (world: Recorded, { companyId }: Company, name: string) => {
  const at = { createdAt: nowOf(world), updatedAt: nowOf(world) }
  return add(world, 'resource', { companyId, name, kind: 'person', ...at })
}

/** Changes the stored columns of one person or room, or of all that a company has. */
export const putResources = (
  world: Recorded,
  { id, companyId }: OneOrAll,
  set: FieldsOf<'resource'>,
) => update(world, 'resource', { id, companyId }, set)

/** Deletes all services of a company, also those that are booked. */
export const deleteServices = (world: Recorded, { companyId }: Company) =>
  putServices(world, { companyId }, { isOn: false, deletedAt: nowOf(world) })

/**
 * Locks the resources that are needed for a service, in a transaction of the test. Returns how many there are.
 * @throws Error when another transaction holds one of them.
 */
export async function lockNeeds(world: Recorded, serviceId: string): Promise<number> {
  const { rows } = await sql`select from resource where id in (
    select resource_id from service_need where service_id = ${serviceId})
    for update nowait`.execute(storeOf(world))
  return rows.length
}

/** Gives a company a booking page that is on, at this address. */
export async function addBookingPage(world: Recorded, { companyId }: Company, slug: string) {
  const page = { ...BOOKING_DEFAULTS, companyId, slug, isOn: true, updatedAt: nowOf(world) }
  await insert(world, 'bookingPage', page)
}

/** Changes the stored columns of a company's booking page. */
export const putBookingPage = (
  world: Recorded,
  { companyId }: Company,
  set: FieldsOf<'bookingPage'>,
) => update(world, 'bookingPage', { companyId }, set)

/** Removes a company's booking page, as if it had never set one up. */
export const deleteBookingPage = (world: Recorded, { companyId }: Company) =>
  remove(world, 'bookingPage', { companyId })

/** Returns the links by which the customer of an appointment opens it. */
export const linksOf = (world: Recorded, appointmentId: string) =>
  read(world, 'appointmentLink', { appointmentId })

/** Adds this number of copies of a service, resource or opening change. */
export async function repeatSetup(
  world: Recorded,
  what: 'service' | 'resource' | 'opening_change',
  id: string,
  count: number,
): Promise<void> {
  const table = sql.table(what)
  await sql`insert into ${table}
    select (jsonb_populate_record(made, jsonb_build_object('id', gen_random_uuid()))).*
    from ${table} made, generate_series(1, ${count}::int)
    where made.id = ${id}`.execute(storeOf(world))
}

/** Returns the notices to the customer of an appointment, oldest first. */
export const noticesOf = (world: Recorded, appointmentId: string) =>
  read(world, 'appointmentNotice', { appointmentId }, 'version')

/** Adds a notice that is due, to the customer of a new appointment. Returns its id. */
export async function addAppointmentNotice(
  world: Recorded,
  { companyId }: Company,
): Promise<string> {
  const now = nowOf(world)
  const cut = { name: 'Cut', minutes: 60, stepMin: 60, createdAt: now, updatedAt: now }
  const serviceId = await add(world, 'service', { ...cut, companyId })
  const resourceId = await addResource(world, { companyId }, 'Mona')
  const startsAt = new Date(now.getTime() + HOUR_MS)
  const of = { companyId, serviceId, resourceId, startsAt }
  const appointmentId = await addAppointment(world, of)
  const notice = { version: 1, kind: 'booked', actorKind: 'member', dueAt: now, createdAt: now }
  return add(world, 'appointmentNotice', { ...notice, companyId, appointmentId })
}
