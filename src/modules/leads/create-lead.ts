import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { loadCompany } from '../accounts/load-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import { requirePeople } from '../accounts/require-people.ts'
import type { Context } from '../../infra/context.ts'
import type { CreateLead, LeadView } from '../../contract/dashboard/lead.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { wrongField, type ServiceError } from '../../core/service-error.ts'
import type { LeadCustomer } from './lock-lead-customers.sql.ts'
import { requestLeads } from './request-leads.ts'
import { viewLeads } from './view-leads.ts'

/**
 * Creates a lead for a contact, or for the customer of a conversation. If the customer has an open or qualified lead,
 * that one gets the values.
 *
 * @throws invalid for a contact or conversation of another company, and an owner who is no member.
 * Spec: Leads › Making.
 */
export async function createLead(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, contactId, conversationId, ...values }: CreateLead & { companyId: string },
): Promise<{ lead: LeadView; isNew: boolean }> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const { id, name } = await loadCompany(tx, actor, companyId)
    if (values.ownerId) await requirePeople(tx, actor, { ownerId: [values.ownerId] })
    const customer = await requireCustomer(tx, { companyId, contactId, conversationId })
    const [requested] = await requestLeads(tx, { ids, now }, [
      { company: { id, name }, source: 'member', ...customer, ...values, qualify: false },
    ])
    const { lead, isNew, isChanged } = requested!
    const subject = { id: lead.id, companyId }
    if (isNew) await audit('lead.created', subject)
    else if (isChanged) await audit('lead.edited', subject, { fields: Object.keys(values) })
    const [shown] = await viewLeads(tx, [lead])
    return { lead: shown!, isNew }
  })
}

/** Locks the customer, so that no transaction merges or erases them meanwhile. */
async function requireCustomer(
  tx: Transaction<DB>,
  {
    companyId,
    contactId,
    conversationId,
  }: Pick<CreateLead, 'contactId' | 'conversationId'> & { companyId: string },
): Promise<LeadCustomer> {
  if (conversationId !== undefined) {
    const conversation = await tx
      .selectFrom('conversation')
      .select(['id', 'contactId'])
      .where('id', '=', conversationId)
      .where('companyId', '=', companyId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(() => unknown('conversationId'))
    return { contactId: conversation.contactId, conversationId }
  }
  const contact = await tx
    .selectFrom('contact')
    .select('id')
    .where('id', '=', contactId!)
    .where('companyId', '=', companyId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => unknown('contactId'))
  return { contactId: contact.id, conversationId: null }
}

function unknown(field: 'contactId' | 'conversationId'): ServiceError {
  const why = fact(field === 'contactId' ? 'no_such_contact' : 'no_such_conversation')
  return wrongField(field, why)
}
