import type { Ids } from '../../core/ids.ts'
import type { EventToRaise } from '../events/raise-event.ts'
import type { ContactSource } from '../../core/vocabulary/contacts.ts'
import { contactData, contactSummary } from './contact.ts'
import { conversationSummary } from './conversation.ts'
import { isOnly, isScoped, proofOf, type Identifier } from '../../rules/identity/identifier.ts'
import { MOST_OF_KIND } from '../../rules/identity/settle.ts'
import type { KnownCustomer } from './look-up-customers.sql.ts'
import type { ResolutionWrites } from './write-resolved.sql.ts'

export type Customer = {
  company: { id: string; name: string | null }
  channel: { id: string; type: string }
  /** Within which business-scoped ids of the channel are ids; null where none is told. */
  scope?: string | null
  /** Every id that they are known by; a conversation is filed under the first. */
  identifiers: readonly [Identifier, ...Identifier[]]
  /** What a new contact is given. */
  told: {
    name: string | null
    /** E.164. */
    phone: string | null
    whatsappId: string | null
    email?: string | null
    rawPhone?: string | null
    language: string | null
    tag: string | null
    source: ContactSource
  }
  /** Whether a contact that is known learns from it: a provider is believed, a merchant's request changes nobody. */
  learns: boolean
  /** Of which conversations `conversation.started` tells. Spec: readings E2, E3. */
  announces: 'new' | 'not_announced' | 'none'
  /** When they wrote, or were written to. */
  at: Date
}

/** What the store knows of a customer; the rest of a contact where it may learn, and of a conversation. */
export type Known = KnownCustomer & {
  phone?: string | null
  whatsappId?: string | null
  announcedAt?: Date | null
}

export type Place = {
  contactId: string
  name: string | null
  language: string | null
  conversationId: string
  filedUnder: string
  /** Its `conversation.started` is told now. */
  isFirst: boolean
}

type Contact = {
  id: string
  name: string | null
  phone: string | null
  whatsappId: string | null
  language: string | null
}
/** A contact, and as which of its identities a customer is known. */
type Who = { contact: Contact; identityId: string }

/**
 * What a provider tells of a customer is not what is known: its identifiers lead to several identities, or one of
 * them is another's than before. `settleIdentity` decides that, in a transaction of its own, before the customer is met.
 */
export class IdentityUnsettled extends Error {
  override name = 'IdentityUnsettled'
  readonly customer: Customer
  constructor(customer: Customer) {
    super('what the provider shows of a customer has to be settled first')
    this.customer = customer
  }
}

type Conversation = { id: string; filedUnder: string; isAnnounced: boolean }
type Newcomer = { company: Customer['company']; row: ResolutionWrites['contacts'][number] }
type Beginning = { customer: Customer; conversation: Conversation; contact: Contact }

const nameOf = ({ company }: Customer, { kind, key }: Identifier) => `${company.id} ${kind} ${key}`

/** As `KnownCustomer.held` has it: an identity has one identifier of a kind that is its only one, in a scope. */
const slotOf = ({ scope }: Customer, { kind }: Identifier) =>
  `${kind} ${isScoped(kind) ? (scope ?? '') : ''}`

/** What the meetings so far have come to, as the later ones find it. */
type Meetings = {
  ids: Ids
  writes: ResolutionWrites
  newcomers: Newcomer[]
  beginnings: Beginning[]
  byIdentifier: Map<string, Who>
  /** What identities have got here, as `KnownCustomer.held`. */
  heldBy: Map<string, Set<string>>
  byId: Map<string, Contact>
  conversations: Map<string, Conversation>
}

/**
 * Decides what becomes of customers as if they were met one after the other: an earlier one's contact,
 * ids and conversation are there for the later ones. Pure but for the ids it makes.
 */
export function planCustomerResolution({ ids, now }: { ids: Ids; now: Date }) {
  const meetings: Meetings = {
    ids,
    writes: {
      contacts: [],
      identities: [],
      identifiers: [],
      conversations: [],
      learnt: [],
      shown: [],
      announced: [],
    },
    newcomers: [],
    beginnings: [],
    byIdentifier: new Map(),
    heldBy: new Map(),
    byId: new Map(),
    conversations: new Map(),
  }
  return {
    writes: meetings.writes,
    /**
     * `contact.created` before `conversation.started`; what was learnt is told between them. They tell of
     * contacts as the last meeting leaves them.
     */
    get created(): EventToRaise[] {
      return meetings.newcomers.map((one) => createdEvent(one, now))
    },
    get started(): EventToRaise[] {
      return meetings.beginnings.map(startedEvent)
    },
    meet(customer: Customer, known: Known): Place {
      const who = meetContact(meetings, customer, known)
      const { contact } = who
      const { conversation, isFirst } = meetConversation(meetings, customer, known, who)
      return {
        contactId: contact.id,
        name: contact.name,
        language: contact.language,
        conversationId: conversation.id,
        filedUnder: conversation.filedUnder,
        isFirst,
      }
    },
  }
}

function meetContact(meetings: Meetings, customer: Customer, known: Known): Who {
  const { identifiers, told } = customer
  const proof = proofOf(told.source, customer.channel.type)
  const met = identifiers.flatMap(
    (identifier) => meetings.byIdentifier.get(nameOf(customer, identifier)) ?? [],
  )
  const stored = whoIs(meetings, known)
  const found = [...met, ...(stored ? [stored] : [])]
  if (proof === 'shown' && !isSettled(meetings, customer, known, found)) {
    throw new IdentityUnsettled(customer)
  }
  const who = found[0] ?? makeContact(meetings, customer, known)
  if (found.length > 0 && customer.learns) {
    const isNewId = identifiers.some(
      ({ kind }) => kind !== 'number' && !known.knownKinds.includes(kind),
    )
    const isIdTold = isNewId || !who.contact.whatsappId
    learn(meetings, who.contact, isIdTold ? told : { ...told, whatsappId: null })
  }
  for (const identifier of identifiers)
    noteIdentifier(meetings, { customer, known, who, proof }, identifier)
  meetings.byId.set(who.contact.id, who.contact)
  return who
}

function makeContact({ ids, writes, newcomers }: Meetings, customer: Customer, known: Known): Who {
  const { company, told } = customer
  const { tag, source, email = null, rawPhone = null, ...shown } = told
  const optedOutAt = known.rememberedOptOutAt
  const given = { companyId: company.id, email, rawPhone, tag, source, optedOutAt }
  const row = { id: ids.uuid(), ...shown, ...given }
  writes.contacts.push(row)
  newcomers.push({ company, row })
  const who = { contact: row, identityId: ids.uuid() }
  writes.identities.push({ id: who.identityId, companyId: company.id, contactId: row.id })
  return who
}

type Met = { customer: Customer; known: Known; who: Who; proof: ReturnType<typeof proofOf> }

function noteIdentifier(
  { ids, writes, byIdentifier, heldBy }: Meetings,
  { customer, known, who, proof }: Met,
  identifier: Identifier,
): void {
  const { company } = customer
  const { contact, identityId } = who
  const { kind, key, value } = identifier
  const name = nameOf(customer, identifier)
  const of = { companyId: company.id, kind, key }
  const isNew = !byIdentifier.has(name) && !known.knownKinds.includes(kind)
  const scope = isScoped(kind) ? (customer.scope ?? null) : null
  const shownAt = proof === 'shown' ? customer.at : null
  if (isNew && proof === 'form' && kind === 'number') {
    const apart = { id: ids.uuid(), companyId: company.id, contactId: contact.id }
    writes.identities.push(apart)
    writes.identifiers.push({ ...of, value, identityId: apart.id, scope, proof, shownAt })
    byIdentifier.set(name, { contact, identityId: apart.id })
    return
  }
  if (isNew) {
    writes.identifiers.push({ ...of, value, identityId, scope, proof, shownAt })
    const held = heldBy.get(identityId) ?? new Set()
    heldBy.set(identityId, held.add(slotOf(customer, identifier)))
  } else if (proof === 'shown' && known.unshownKinds.includes(kind)) {
    writes.shown.push(of)
  }
  if (!byIdentifier.has(name)) byIdentifier.set(name, who)
}

/** False where the identifiers are not one identity's, or one of them is new beside another of its kind. */
function isSettled(
  { byIdentifier, heldBy }: Meetings,
  customer: Customer,
  known: Known,
  found: readonly Who[],
): boolean {
  const [who] = found
  if (found.some(({ identityId }) => identityId !== who!.identityId) || known.isSplit) return false
  if (known.formerSince !== null && customer.at > known.formerSince) return false
  if (known.held.length >= MOST_OF_KIND) return false
  const held = new Set([...known.held, ...(heldBy.get(who?.identityId ?? '') ?? [])])
  return customer.identifiers.every(
    (identifier) =>
      known.knownKinds.includes(identifier.kind) ||
      byIdentifier.has(nameOf(customer, identifier)) ||
      !isOnly(identifier.kind) ||
      !held.has(slotOf(customer, identifier)),
  )
}

function whoIs({ byId }: Meetings, known: Known): Who | undefined {
  if (known.contactId === null || known.identityId === null) return undefined
  const contact = byId.get(known.contactId) ?? {
    id: known.contactId,
    name: known.contactName,
    phone: known.phone ?? null,
    whatsappId: known.whatsappId ?? null,
    language: known.contactLanguage,
  }
  return { contact, identityId: known.identityId }
}

/** A name, a phone and a language where there was none, and the newest of the provider's own ids. */
function learn({ newcomers, writes }: Meetings, contact: Contact, told: Customer['told']): void {
  const name = contact.name ?? told.name
  const phone = contact.phone ?? told.phone
  const whatsappId = told.whatsappId ?? contact.whatsappId
  const language = contact.language ?? told.language
  const isSame =
    name === contact.name &&
    phone === contact.phone &&
    whatsappId === contact.whatsappId &&
    language === contact.language
  if (isSame) return
  Object.assign(contact, { name, phone, whatsappId, language })
  // The row of a new contact is this one: it is written and told of as it then is.
  const isNew = newcomers.some(({ row }) => row.id === contact.id)
  if (!isNew && !writes.learnt.includes(contact)) writes.learnt.push(contact)
}

function meetConversation(
  { ids, writes, conversations, beginnings }: Meetings,
  customer: Customer,
  known: Known,
  { contact, identityId }: Who,
): { conversation: Conversation; isFirst: boolean } {
  const { channel, company } = customer
  const { filedUnder } = customer.identifiers[0]
  const place = `${channel.id} ${identityId}`
  const isKnown = known.conversationId !== null && known.identityId === identityId
  const before =
    conversations.get(place) ??
    (isKnown
      ? {
          id: known.conversationId!,
          filedUnder: known.filedUnder!,
          isAnnounced: known.announcedAt !== null,
        }
      : null)
  const conversation = before ?? {
    id: `c_${ids.uuid().replaceAll('-', '')}`,
    filedUnder,
    isAnnounced: false,
  }
  conversations.set(place, conversation)
  const isFirst =
    before === null
      ? customer.announces !== 'none'
      : customer.announces === 'not_announced' && !conversation.isAnnounced
  if (isFirst) {
    conversation.isAnnounced = true
    beginnings.push({ customer, conversation, contact })
  }
  const { isAnnounced } = conversation
  if (before === null) {
    writes.conversations.push({
      id: conversation.id,
      filedUnder,
      companyId: company.id,
      channelId: channel.id,
      channelType: channel.type,
      contactId: contact.id,
      identityId,
      isAnnounced,
    })
  } else if (isFirst) {
    const made = writes.conversations.find(({ id }) => id === conversation.id)
    if (made) made.isAnnounced = true
    else writes.announced.push(conversation.id)
  }
  return { conversation, isFirst }
}

function createdEvent({ company, row }: Newcomer, now: Date): EventToRaise {
  const { tag, email = null } = row
  return {
    type: 'contact.created',
    company,
    occurredAt: now,
    contactId: row.id,
    data: contactData({ ...row, email, tags: tag === null ? [] : [tag], fields: {} }),
  }
}

function startedEvent({ customer, conversation, contact }: Beginning): EventToRaise {
  const { company, channel, at } = customer
  const { id, filedUnder } = conversation
  const channelType = channel.type
  return {
    type: 'conversation.started',
    company,
    occurredAt: at,
    conversationId: id,
    contactId: contact.id,
    data: {
      conversation: conversationSummary({ id, channelId: channel.id, channelType }),
      contact: contactSummary(contact, { channelType, filedUnder, visitorName: null }),
    },
  }
}
