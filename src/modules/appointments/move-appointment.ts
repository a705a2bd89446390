import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { loadCompany } from '../accounts/load-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { ArrangedAppointment, MoveAppointment } from '../../contract/dashboard/appointment.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { pickFree } from '../../rules/appointments/pick-free.ts'
import { ServiceError, wrongField } from '../../core/service-error.ts'
import { requireNearDate } from './add-appointment.ts'
import type { AppointmentRow } from './appointment.ts'
import { lockServices } from './lock-services.sql.ts'
import {
  requireAppointment,
  requireConfirmed,
  type OwnedAppointment,
} from './require-appointment.ts'
import { loadSlotInputs, type BookableResource } from './slot-inputs.sql.ts'
import { viewAppointment } from './view-appointment.ts'
import { writeMove } from './write-move.sql.ts'

/**
 * Moves an appointment by a member to another time, other resources, or both. It keeps its length; no event is
 * raised, but the customer gets a notice. A taken slot is refused, outside opening hours is a warning; reminders are
 * planned again. A move to the current time changes nothing.
 *
 * Isolation: the appointment is locked, then its service and all resources that it has or could have.
 *
 * @throws not_found; conflict when it is cancelled or over; slot_taken; invalid
 * Spec: Appointments › Moving.
 */
export async function moveAppointment(
  { db, ids, clock, formatFact }: Context & { formatFact: FormatFact },
  actor: Actor,
  owned: OwnedAppointment,
  input: MoveAppointment,
): Promise<ArrangedAppointment> {
  const { companyId, appointmentId } = owned
  requireNearDate(input.startsAt, clock.now())
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await loadCompany(tx, actor, companyId)
    await requireConfirmed(tx, owned)
    const before = await requireAppointment(tx, owned)
    const slot = await assignSlot(tx, before, input)
    const warnings = slot.isOutsideHours ? [formatFact(fact('outside_opening_hours'))] : []
    const isThere =
      before.startsAt.getTime() === input.startsAt.getTime() &&
      before.resources.length === slot.resourceIds.length &&
      before.resources.every(({ id }) => slot.resourceIds.includes(id))
    if (isThere) return { ...viewAppointment(before), warnings }
    const to = { ...slot, startsAt: input.startsAt }
    await writeMove(tx, { ids, now }, before, to, { kind: 'member', personId: actor.personId })
    const detail = { from: before.startsAt.toISOString(), to: input.startsAt.toISOString() }
    await audit('appointment.moved', { id: appointmentId, companyId }, detail)
    return { ...viewAppointment(await requireAppointment(tx, owned)), warnings }
  })
}

/** Keeps the appointment's resources, except one whose role the wanted resource takes. */
async function assignSlot(
  tx: Transaction<DB>,
  { companyId, serviceId, ...before }: AppointmentRow,
  { startsAt, resourceId }: MoveAppointment,
) {
  const currentIds = before.resources.map(({ id }) => id)
  await lockServices(tx, [serviceId], currentIds)
  const range = { from: startsAt, to: startsAt }
  const services = [{ companyId, serviceId }]
  const facts = (await loadSlotInputs(tx, services, range, { movedId: before.id })).get(serviceId)!
  const wanted = facts.resources.find(({ id }) => id === resourceId)
  if (resourceId !== undefined && !wanted) {
    throw wrongField('resourceId', fact('resource_not_of_service'))
  }
  const kept = facts.resources.filter(
    (one) => currentIds.includes(one.id) && !isReplaced(one, wanted),
  )
  const resources = [...kept, ...(wanted ? [wanted] : [])].map((resource) => ({
    ...resource,
    role: resource.id,
  }))
  const minutes = (before.endsAt.getTime() - before.startsAt.getTime()) / MINUTE_MS
  const service = { ...facts.service, minutes }
  const picked = pickFree({ ...facts, service, resources }, startsAt)
  if (!picked.ok) throw new ServiceError('slot_taken', fact('slot_not_free'))
  return { ...picked.value, service, zone: facts.page.zone }
}

/**
 * Returns whether the wanted resource replaces this one: in the same role, or of the same kind in a role that the
 * service no longer has.
 */
function isReplaced(one: BookableResource, wanted: BookableResource | undefined): boolean {
  if (!wanted) return false
  return one.role === wanted.role || (one.role === one.id && one.kind === wanted.kind)
}
