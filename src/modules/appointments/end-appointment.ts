import { sql } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { loadCompany } from '../accounts/load-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { AppointmentView } from '../../contract/dashboard/appointment.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { cancelAppointments } from './cancel-appointment.ts'
import { lockAppointments } from './lock-appointments.sql.ts'
import {
  appointmentOver,
  noSuchAppointment,
  requireAppointment,
  requireNotCancelled,
  type OwnedAppointment,
} from './require-appointment.ts'
import { viewAppointment } from './view-appointment.ts'

/**
 * Records by a member that an appointment took place, or a no-show; either can be corrected later. Neither is
 * recorded automatically, and no event is raised.
 *
 * @throws not_found; conflict when it was cancelled, or has not begun
 * Spec: States › Appointment; reading A38.
 */
export async function endAppointment(
  { db, ids, clock }: Context,
  actor: Actor,
  owned: OwnedAppointment,
  status: 'completed' | 'no_show',
): Promise<AppointmentView> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await loadCompany(tx, actor, owned.companyId)
    const before = await requireNotCancelled(tx, owned)
    if (before.startsAt > now) throw new ServiceError('conflict', fact('appointment_not_begun'))
    const { appointmentId: id, companyId } = owned
    if (before.status !== status) {
      await sql`
        with entries as (
          insert into appointment_entry (id, company_id, appointment_id, kind, actor_kind, actor_id, at)
          values (${ids.uuid()}, ${companyId}, ${id}, ${status}, 'member', ${actor.personId}, ${now})
        )
        update appointment set status = ${status}, updated_at = ${now}
        where id = ${id} and company_id = ${companyId}`.execute(tx)
      await audit(`appointment.${status}`, { id, companyId })
    }
    return viewAppointment(await requireAppointment(tx, owned))
  })
}

/**
 * Cancels an appointment by a member, at any time. A cancelled one is unchanged.
 * @throws not_found; conflict when it is over
 * Spec: Appointments › Cancelling.
 */
export async function cancelByMember(
  { db, ids, clock }: Context,
  actor: Actor,
  owned: OwnedAppointment,
  { reason }: { reason: string | null },
): Promise<AppointmentView> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await loadCompany(tx, actor, owned.companyId)
    const before = (await lockAppointments(tx, [owned])).get(owned.appointmentId)
    const [outcome] = await cancelAppointments(tx, { ids, now }, [
      { ...owned, by: 'member', reason, actorId: actor.personId },
    ])
    if (outcome === 'not_found') throw noSuchAppointment()
    const after = await requireAppointment(tx, owned)
    if (outcome !== 'cancelled') throw appointmentOver(after.status)
    const { appointmentId: id, companyId } = owned
    if (before?.status !== 'cancelled') {
      await audit('appointment.cancelled', { id, companyId }, { reason })
    }
    return viewAppointment(after)
  })
}
