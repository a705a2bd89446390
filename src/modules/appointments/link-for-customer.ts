import type { Actor } from '../accounts/actor.ts'
import { loadCompany } from '../accounts/load-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { AppointmentLink } from '../../contract/dashboard/appointment.ts'
import { makeAppointmentLinks } from './appointment-links.ts'
import { requireAppointment, type OwnedAppointment } from './require-appointment.ts'

/**
 * A member asks for a link to the customer's page, to give it on: of one that was booked by hand nobody has
 * told them. It is a new one each time; the earlier ones stay good.
 * @throws not_found
 * Spec: Appointments › The customer's link.
 */
export async function linkForCustomer(
  { db, ids, clock, publicUrl }: Context & { publicUrl(): string },
  actor: Actor,
  owned: OwnedAppointment,
): Promise<AppointmentLink> {
  const { companyId, appointmentId: id } = owned
  const now = clock.now()
  return auditedTransaction({ db, ids, now }, actor, async (tx, audit) => {
    await loadCompany(tx, actor, companyId)
    await requireAppointment(tx, owned)
    const links = await makeAppointmentLinks(tx, { ids, now }, [{ id, companyId }])
    await audit('appointment.link_made', { kind: 'appointment', id, companyId })
    return { url: `${publicUrl()}/a/${links.get(id)!}` }
  })
}
