import type { Context } from '../../infra/context.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { mayCancel } from '../../rules/appointments/may-cancel.ts'
import { pickSlotResources } from '../../rules/appointments/slots.ts'
import type { AppointmentStatus } from '../../core/vocabulary/appointments.ts'
import { lockAppointments } from './lock-appointments.sql.ts'
import { lockServices } from './lock-services.sql.ts'
import { loadMoveInputs } from './move-inputs.ts'
import { requireAppointment, type OwnedAppointment } from './require-appointment.ts'
import { writeMove } from './write-move.sql.ts'

/**
 * The reason of a refused move. With `slot_taken`, the slot was taken, or is not offered. With `too_late`, the link's
 * deadline has passed. With `cancelled` and `over`, it can no longer be moved. With `not_bookable`, the booking page
 * or the service is off.
 */
export type MoveRefusal = 'slot_taken' | 'too_late' | 'cancelled' | 'over' | 'not_bookable'

/** The outcome of a move. */
export type MoveOutcome =
  /** `isNew` is false when it was at that time already. */
  { outcome: 'moved'; isNew: boolean } | { outcome: MoveRefusal }

/**
 * Moves an appointment by the customer's link, until the link's deadline, to a time that is offered. No event is
 * raised; its history names the customer.
 *
 * Isolation: the appointment is locked, then its service and all resources that it has or could have: one of several
 * competing bookings and moves gets a time.
 *
 * @throws not_found
 * Spec: Appointments › Moving.
 */
export async function moveByCustomer(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  { startsAt, ...owned }: OwnedAppointment & { startsAt: Date },
): Promise<MoveOutcome> {
  return transaction(db, async (tx) => {
    const now = clock.now()
    const locked = (await lockAppointments(tx, [owned])).get(owned.appointmentId)
    const before = await requireAppointment(tx, owned)
    const { cancelUntilMin } = locked!
    const status = before.status as AppointmentStatus
    const verdict = mayCancel({ ...before, status, cancelUntilMin }, 'link', now)
    if (verdict === 'already') return { outcome: 'cancelled' }
    if (verdict !== 'may') return { outcome: verdict }
    if (before.startsAt.getTime() === startsAt.getTime()) return { outcome: 'moved', isNew: false }
    const had = before.resources.map(({ id }) => id)
    await lockServices(tx, [before.serviceId], had)
    const range = { from: startsAt, to: startsAt }
    const facts = await loadMoveInputs(tx, before, range, { isUnited: false })
    if (!facts) return { outcome: 'not_bookable' }
    const taken = pickSlotResources({ ...facts, now }, startsAt)
    if (!taken.ok) return { outcome: taken.reason }
    const { service, page } = facts
    const to = { startsAt, service, zone: page.zone, resourceIds: taken.value }
    await writeMove(tx, { ids, now }, before, to, { kind: 'customer' })
    return { outcome: 'moved', isNew: true }
  })
}
