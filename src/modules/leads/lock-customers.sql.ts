import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

/** Whose lead it is: a contact's, or a visitor's, who is known by the conversation. */
export type LeadCustomer = { contactId: string | null; conversationId: string | null }

/** The same of two requests for one customer's lead. */
export function customerKey({ contactId, conversationId }: LeadCustomer): string {
  return contactId ?? conversationId!
}

/**
 * Holds customers until the transaction ends: whoever asks for a lead of one, or reopens one, waits, and then
 * sees what the one before has made.
 *
 * Isolation: read committed; conversations of visitors before contacts, each in the order of their ids. The
 * mode leaves what refers to a contact free to be written.
 */
export async function lockCustomers(
  tx: Transaction<DB>,
  companyIds: readonly string[],
  customers: readonly LeadCustomer[],
): Promise<void> {
  const visits = customers.flatMap(({ contactId, conversationId }) =>
    contactId === null ? [conversationId!] : [],
  )
  const contactIds = customers.flatMap(({ contactId }) => contactId ?? [])
  if (visits.length > 0) {
    await sql`select from conversation
      where id = any(${visits}::text[]) and company_id = any(${companyIds}::uuid[])
      order by id for no key update`.execute(tx)
  }
  if (contactIds.length > 0) {
    await sql`select from contact
      where id = any(${contactIds}::uuid[]) and company_id = any(${companyIds}::uuid[])
      order by id for no key update`.execute(tx)
  }
}
