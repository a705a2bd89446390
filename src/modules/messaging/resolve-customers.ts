/**
 * Finds or creates the contact and conversation of customers, in a constant number of statements. Only this code
 * inserts contacts and conversations, except for visitors (`resolve-visitors`) and hook batches, which use its parts
 * within their own statements.
 */
import { sql, type Transaction } from 'kysely'
import type { CustomerRef } from '../channels/inbound.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { EventToRaise } from '../events/raise-event.ts'
import type { Ids } from '../../core/ids.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { readLanguage } from '../../rules/messaging/language-reading.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { contactData, phoneOf, whatsappIdOf, type ContactRow } from './contact.ts'
import type { ConversationRow } from './conversation.ts'
import { identifiersOf } from '../../rules/identity/identifier.ts'
import { contactsToLock, lockContactRows, lookUpCustomers } from './look-up-customers.sql.ts'
import { planCustomerResolution, type Customer, type Known } from './plan-customer-resolution.ts'
import { writeResolved, type UpdatedContact } from './write-resolved.sql.ts'

/** A customer's contact and conversation. */
export type ResolvedCustomer = {
  contact: ContactRow
  /** The conversation, locked, as it is after the resolution. */
  conversation: ConversationRow
  /** States whether `conversation.started` is raised for it now. */
  isFirst: boolean
}

type Company = Customer['company']

/**
 * Finds or creates the contact and the conversation of each customer, in their order. Provider data updates a known
 * contact: additional ids, and a name when it had none. The caller raises the events before its own, in the same
 * transaction.
 *
 * Isolation: the caller has locked the ids of all customers in one order; their conversations are locked here, by id.
 */
export async function resolveCustomers(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  customers: readonly Customer[],
): Promise<{ resolved: ResolvedCustomer[]; events: EventToRaise[] }> {
  const plan = planCustomerResolution(deps)
  const found = await find(tx, customers)
  const resolved = customers.map((customer, index) => plan.resolve(customer, found.known[index]!))
  const isChanged = Object.values(plan.writes).some((rows) => rows.length > 0)
  const learnt = isChanged ? await writeResolved(tx, plan.writes, deps.now) : []
  const { contacts, conversations } = isChanged
    ? await read(tx, resolved, { isToLock: false })
    : found
  return {
    resolved: resolved.map(({ contactId, conversationId, isFirst }) => ({
      contact: contacts.get(contactId)!,
      conversation: conversations.get(conversationId)!,
      isFirst,
    })),
    events: [...plan.created, ...updatedEvents(deps.now, customers, learnt), ...plan.started],
  }
}

/** Loads what exists. A contact that gets a conversation is locked first. */
async function find(tx: Transaction<DB>, customers: readonly Customer[]) {
  const lookups = customers.map(({ company, channel, scope = null, identifiers }) => ({
    companyId: company.id,
    channelId: channel.id,
    scope,
    identifiers,
  }))
  let known = await lookUpCustomers(tx, lookups)
  const toLock = contactsToLock(known)
  if (toLock.length > 0) {
    await lockContactRows(toLock).execute(tx)
    known = await lookUpCustomers(tx, lookups)
  }
  const rows = await read(tx, known, { isToLock: true })
  return {
    ...rows,
    known: known.map((customer): Known => {
      const contact = rows.contacts.get(customer.contactId ?? '')
      const { announcedAt = null } = rows.conversations.get(customer.conversationId ?? '') ?? {}
      const { phone = null, whatsappId = null } = contact ?? {}
      return { ...customer, announcedAt, phone, whatsappId }
    }),
  }
}

async function read(
  tx: Transaction<DB>,
  resolved: readonly { contactId: string | null; conversationId: string | null }[],
  { isToLock }: { isToLock: boolean },
) {
  const contactIds = [...new Set(resolved.flatMap(({ contactId }) => contactId ?? []))]
  const conversationIds = [
    ...new Set(resolved.flatMap(({ conversationId }) => conversationId ?? [])),
  ]
  const conversations = conversationIds.length === 0 ? [] : await readConversations()
  const contacts = contactIds.length === 0 ? [] : await readContacts()
  return {
    contacts: new Map(contacts.map((row) => [row.id, row])),
    conversations: new Map(conversations.map((row) => [row.id, row])),
  }

  async function readConversations() {
    const { rows } = await sql<ConversationRow>`
      select * from conversation where id = any(${conversationIds}::text[]) order by id
      ${isToLock ? sql`for update` : sql``}`.execute(tx)
    return rows
  }

  function readContacts() {
    return tx
      .selectFrom('contact')
      .selectAll()
      .where('id', '=', (eb) => eb.fn.any(eb.val(contactIds)))
      .execute()
  }
}

/** Returns the events of the contacts that provider data has updated. */
function updatedEvents(
  now: Date,
  customers: readonly Customer[],
  learnt: readonly UpdatedContact[],
): EventToRaise[] {
  const companies = new Map(customers.map(({ company }) => [company.id, company]))
  return learnt.map(({ archivedKeys, ...contact }) => ({
    type: 'contact.updated',
    company: companies.get(contact.companyId)!,
    data: contactData(contact, archivedKeys),
    occurredAt: now,
    contactId: contact.id,
  }))
}

/** Converts a customer in a provider's event to one that can be resolved; null when it has no id. */
export function customerOf(
  channel: { id: string; type: string; route: string; scope: string; company: Company },
  ref: CustomerRef,
  { announces, at }: Pick<Customer, 'announces' | 'at'>,
): Customer | null {
  const [first, ...others] = identifiersOf(ref, channel)
  if (!first) return null
  const isEnquiry = capabilitiesOf(channel.type).makesLeads
  return {
    company: channel.company,
    channel,
    scope: channel.scope,
    identifiers: [first, ...others],
    reported: {
      name: ref.profileName ? cleanText(ref.profileName) : null,
      phone: phoneOf(ref.number),
      whatsappId: whatsappIdOf(ref),
      email: ref.email ? cleanText(ref.email) : null,
      rawPhone: ref.rawPhone ? cleanText(ref.rawPhone) : null,
      language: readLanguage(ref.language ?? ''),
      tag: null,
      source: isEnquiry ? 'enquiry' : 'message',
    },
    // Anyone can fill in a form, so it never updates a known contact.
    learns: !isEnquiry,
    announces,
    at,
  }
}
