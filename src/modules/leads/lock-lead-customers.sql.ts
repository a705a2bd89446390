import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

/** The customer of a lead: a contact, or a visitor, who is identified by the conversation. */
export type LeadCustomer = { contactId: string | null; conversationId: string | null }

/** Returns the same key for two requests about one customer's lead. */
export function customerKey({ contactId, conversationId }: LeadCustomer): string {
  return contactId ?? conversationId!
}

/**
 * Locks the customers of leads, by their contacts or conversations, until the transaction ends. A concurrent request
 * for a lead of one, or a reopening, waits and then sees the result of this transaction.
 *
 * Isolation: read committed; conversations of visitors before contacts, each in the order of their ids. The lock mode
 * allows other rows to reference a contact meanwhile.
 */
export async function lockLeadCustomers(
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
