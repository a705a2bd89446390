import type { Actor } from '../accounts/actor.ts'
import { loadCompany } from '../accounts/load-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { AppointmentLink } from '../../contract/dashboard/appointment.ts'
import { makeAppointmentLinks } from './appointment-links.ts'
import { requireAppointment, type OwnedAppointment } from './require-appointment.ts'

/**
 * Creates a link to the customer's page for a member to pass on, since a booking by a member sends none. Each request
 * creates a new link; earlier ones stay valid.
 * @throws not_found
 * Spec: Appointments › The customer's link.
 */
export async function createCustomerLink(
  { db, ids, clock, publicUrl }: Context & { publicUrl(): string },
  actor: Actor,
  owned: OwnedAppointment,
): Promise<AppointmentLink> {
  const { companyId, appointmentId: id } = owned
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await loadCompany(tx, actor, companyId)
    await requireAppointment(tx, owned)
    const links = await makeAppointmentLinks(tx, { ids, now }, [{ id, companyId }])
    await audit('appointment.link_made', { id, companyId })
    return { url: `${publicUrl()}/a/${links.get(id)!}` }
  })
}
