import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { loadCompany } from '../accounts/load-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { ArrangedAppointment, MoveAppointment } from '../../contract/dashboard/appointment.ts'
import type { FormatFact } from '../../contract/dashboard/told.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { pickFree } from '../../rules/appointments/pick-free.ts'
import { ServiceError, wrongField } from '../../core/service-error.ts'
import { requireNear } from './add-appointment.ts'
import type { AppointmentRow } from './appointment.ts'
import { lockServices } from './lock-services.sql.ts'
import {
  requireAppointment,
  requireConfirmed,
  type OwnedAppointment,
} from './require-appointment.ts'
import { readSlotFacts, type BookableResource } from './slot-facts.sql.ts'
import { viewAppointment } from './view-appointment.ts'
import { writeMove } from './write-move.sql.ts'

/**
 * A member moves an appointment to another time, to somebody else, or both. It keeps its length; no event
 * tells of it, but the customer is told; what is taken is refused, what is outside the hours is a warning; reminders are
 * planned again. A move to the time that it has changes nothing.
 *
 * Isolation: the appointment is locked, then its service and all that it has or could have.
 *
 * @throws not_found; conflict when it is cancelled or over; slot_taken; invalid
 * Spec: Appointments › Moving.
 */
export async function moveAppointment(
  { db, ids, clock, tell }: Context & { tell: FormatFact },
  actor: Actor,
  owned: OwnedAppointment,
  input: MoveAppointment,
): Promise<ArrangedAppointment> {
  const { companyId, appointmentId } = owned
  const now = clock.now()
  requireNear(input.startsAt, now)
  return auditedTransaction({ db, ids, now }, actor, async (tx, audit) => {
    await loadCompany(tx, actor, companyId)
    await requireConfirmed(tx, owned)
    const before = await requireAppointment(tx, owned)
    const slot = await place(tx, before, input)
    const warnings = slot.isOutsideHours ? [tell(fact('outside_opening_hours'))] : []
    const isThere =
      before.startsAt.getTime() === input.startsAt.getTime() &&
      before.resources.every(({ id }) => slot.resourceIds.includes(id))
    if (isThere) return { ...viewAppointment(before), warnings }
    const to = { ...slot, startsAt: input.startsAt }
    await writeMove(tx, { ids, now }, before, to, { kind: 'member', personId: actor.personId })
    const detail = { from: before.startsAt.toISOString(), to: input.startsAt.toISOString() }
    await audit('appointment.moved', { kind: 'appointment', id: appointmentId, companyId }, detail)
    return { ...viewAppointment(await requireAppointment(tx, owned)), warnings }
  })
}

/** Whom it has stays, but for the one whose role somebody else takes. */
async function place(
  tx: Transaction<DB>,
  { companyId, serviceId, ...before }: AppointmentRow,
  { startsAt, resourceId }: MoveAppointment,
) {
  const had = before.resources.map(({ id }) => id)
  await lockServices(tx, [serviceId], had)
  const range = { from: startsAt, to: startsAt }
  const asked = [{ companyId, serviceId }]
  const facts = (await readSlotFacts(tx, asked, range, { movedId: before.id })).get(serviceId)!
  const wanted = facts.resources.find(({ id }) => id === resourceId)
  if (resourceId !== undefined && !wanted) {
    throw wrongField('resourceId', fact('resource_not_of_service'))
  }
  const stays = facts.resources.filter((one) => had.includes(one.id) && !gives(one, wanted))
  const resources = [...stays, ...(wanted ? [wanted] : [])].map((resource) => ({
    ...resource,
    role: resource.id,
  }))
  const minutes = (before.endsAt.getTime() - before.startsAt.getTime()) / MINUTE_MS
  const service = { ...facts.service, minutes }
  const picked = pickFree({ ...facts, service, resources }, startsAt)
  if (!picked.ok) throw new ServiceError('slot_taken', fact('slot_not_free'))
  return { ...picked.value, service, zone: facts.page.zone }
}

/** Whether it makes way: it is in the same role, or of the same kind in one that the service no longer has. */
function gives(one: BookableResource, wanted: BookableResource | undefined): boolean {
  if (!wanted) return false
  return one.role === wanted.role || (one.role === one.id && one.kind === wanted.kind)
}
