/**
 * Customers are met: whoever hears of one, or is to write to one, finds their contact and conversation
 * here or makes them. However many they are, it is a handful of statements, and nobody else writes a new
 * contact or conversation, but for those of visitors (meet-visitors). What is looked up and what becomes of it are parts of their own, for the desk
 * of the hooks, which asks and writes more in the same statements.
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
import { contactsToHold, holdContacts, lookUpCustomers } from './look-up-customers.sql.ts'
import { planCustomerResolution, type Customer, type Known } from './plan-customer-resolution.ts'
import { writeResolved, type UpdatedContact } from './write-resolved.sql.ts'

export type ResolvedCustomer = {
  contact: ContactRow
  /** Locked, and as it is after the meeting. */
  conversation: ConversationRow
  /** `conversation.started` tells of it now. */
  isFirst: boolean
}

type Company = Customer['company']

/**
 * Finds or makes the contact and the conversation of each customer, in their order. What a provider tells
 * of a known contact is learnt: further ids, and a name when it had none. The events are the caller's to
 * raise, before its own and in the same transaction.
 *
 * Isolation: the ids of all customers are locked by the caller in one order; then their conversations are,
 * by id.
 */
export async function resolveCustomers(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  customers: readonly Customer[],
): Promise<{ met: ResolvedCustomer[]; events: EventToRaise[] }> {
  const plan = planCustomerResolution(deps)
  const found = await find(tx, customers)
  const places = customers.map((customer, index) => plan.meet(customer, found.known[index]!))
  const isChanged = Object.values(plan.writes).some((rows) => rows.length > 0)
  const learnt = isChanged ? await writeResolved(tx, plan.writes, deps.now) : []
  const { contacts, conversations } = isChanged
    ? await read(tx, places, { isToLock: false })
    : found
  return {
    met: places.map(({ contactId, conversationId, isFirst }) => ({
      contact: contacts.get(contactId)!,
      conversation: conversations.get(conversationId)!,
      isFirst,
    })),
    events: [...plan.created, ...updated(deps.now, customers, learnt), ...plan.started],
  }
}

/** What is known of them; a contact that gets a conversation here is held first. */
async function find(tx: Transaction<DB>, customers: readonly Customer[]) {
  const asked = customers.map(({ company, channel, scope = null, identifiers }) => ({
    companyId: company.id,
    channelId: channel.id,
    scope,
    identifiers,
  }))
  let known = await lookUpCustomers(tx, asked)
  const toHold = contactsToHold(known)
  if (toHold.length > 0) {
    await holdContacts(toHold).execute(tx)
    known = await lookUpCustomers(tx, asked)
  }
  const rows = await read(tx, known, { isToLock: true })
  return {
    ...rows,
    known: known.map((one): Known => {
      const contact = rows.contacts.get(one.contactId ?? '')
      const { announcedAt = null } = rows.conversations.get(one.conversationId ?? '') ?? {}
      const { phone = null, whatsappId = null } = contact ?? {}
      return { ...one, announcedAt, phone, whatsappId }
    }),
  }
}

async function read(
  tx: Transaction<DB>,
  places: readonly { contactId: string | null; conversationId: string | null }[],
  { isToLock }: { isToLock: boolean },
) {
  const contactIds = [...new Set(places.flatMap(({ contactId }) => contactId ?? []))]
  const conversationIds = [...new Set(places.flatMap(({ conversationId }) => conversationId ?? []))]
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

function updated(
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

/** A customer as a provider tells of them; null when it names no id. */
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
    told: {
      name: ref.profileName ? cleanText(ref.profileName) : null,
      phone: phoneOf(ref.number),
      whatsappId: whatsappIdOf(ref),
      email: ref.email ? cleanText(ref.email) : null,
      rawPhone: ref.rawPhone ? cleanText(ref.rawPhone) : null,
      language: readLanguage(ref.language ?? ''),
      tag: null,
      source: isEnquiry ? 'enquiry' : 'message',
    },
    // Who fills in a form may be anybody: a contact that is known learns nothing of it.
    learns: !isEnquiry,
    announces,
    at,
  }
}
