/** Appointments and their reminders. */
import { given, storeOf, type Recorded, type RecordOf } from './records.ts'

export type AppointmentRecord = RecordOf<'appointment'>

export const appointmentOf = (world: Recorded, id: string): Promise<AppointmentRecord> =>
  storeOf(world)
    .selectFrom('appointment')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** Returns the appointments of a company or contact, in the order in which they were booked. */
export const appointmentsOf = (
  world: Recorded,
  { companyId, contactId }: { companyId?: string; contactId?: string },
): Promise<AppointmentRecord[]> =>
  storeOf(world)
    .selectFrom('appointment')
    .selectAll()
    .where((eb) => eb.and(given({ companyId, contactId })))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** Returns the reminders of an appointment, or of all that a company has, by the time that they are due. */
export const remindersOf = (
  world: Recorded,
  { companyId, appointmentId }: { companyId?: string; appointmentId?: string },
) =>
  storeOf(world)
    .selectFrom('reminder')
    .selectAll()
    .where((eb) => eb.and(given({ companyId, appointmentId })))
    .orderBy('dueAt')
    .execute()
