import type { Ids } from '../../core/ids.ts'
import type { EventToRaise } from '../events/raise-event.ts'
import type { ContactSource } from '../../core/vocabulary/contacts.ts'
import { contactData, contactSummary } from './contact.ts'
import { conversationSummary } from './conversation.ts'
import {
  isExclusiveKind,
  isScoped,
  proofOf,
  type Identifier,
} from '../../rules/identity/identifier.ts'
import { IDENTITY_LIMITS } from '../../core/limits/contacts.ts'
import type { KnownCustomer } from './look-up-customers.sql.ts'
import type { ResolutionWrites } from './write-resolved.sql.ts'

/** A customer to resolve: how they are known, and what a new contact gets. */
export type Customer = {
  company: { id: string; name: string | null }
  channel: { id: string; type: string }
  /** The scope in which the channel's business-scoped ids are unique; null without one. */
  scope?: string | null
  /** Every known identifier; a conversation is filed under the first. */
  identifiers: readonly [Identifier, ...Identifier[]]
  /** The values of a new contact. */
  reported: {
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
  /** States whether an existing contact is updated from this: provider data is trusted, a merchant's request is not. */
  learns: boolean
  /** The conversations that raise `conversation.started`. Spec: readings E2, E3. */
  announces: 'new' | 'not_announced' | 'none'
  /** The time at which they wrote, or were written to. */
  at: Date
}

/** The stored state of a customer, with the current values of an updatable contact and its conversation. */
export type Known = KnownCustomer & {
  phone?: string | null
  whatsappId?: string | null
  announcedAt?: Date | null
}

/** A resolved customer: the ids of contact and conversation, known or new. */
export type ResolvedIds = {
  contactId: string
  name: string | null
  language: string | null
  conversationId: string
  filedUnder: string
  /** States whether `conversation.started` is raised now. */
  isFirst: boolean
}

type Contact = {
  id: string
  name: string | null
  phone: string | null
  whatsappId: string | null
  language: string | null
}
/** A contact with the identity by which a customer is known. */
type ContactIdentity = { contact: Contact; identityId: string }

/**
 * An error for provider data that contradicts what is stored. It has identifiers of several identities, or one that
 * belonged to another identity. `settleIdentity` resolves it in a separate transaction before the customer is resolved.
 */
export class IdentityUnsettled extends Error {
  override name = 'IdentityUnsettled'
  readonly customer: Customer
  constructor(customer: Customer) {
    super('the identity of a customer has to be settled first')
    this.customer = customer
  }
}

type Conversation = { id: string; filedUnder: string; isAnnounced: boolean }
type CreatedContact = { company: Customer['company']; row: ResolutionWrites['contacts'][number] }
type StartedConversation = { customer: Customer; conversation: Conversation; contact: Contact }

const nameOf = ({ company }: Customer, { kind, key }: Identifier) => `${company.id} ${kind} ${key}`

/**
 * Returns the slot of an identifier, as in `KnownCustomer.held`: an identity has one current identifier of a unique
 * kind per scope.
 */
const slotOf = ({ scope }: Customer, { kind }: Identifier) =>
  `${kind} ${isScoped(kind) ? (scope ?? '') : ''}`

/** The state after the customers resolved so far, which later ones see. */
type Resolution = {
  ids: Ids
  writes: ResolutionWrites
  createdContacts: CreatedContact[]
  startedConversations: StartedConversation[]
  byIdentifier: Map<string, ContactIdentity>
  /** The slots that identities filled here, as in `KnownCustomer.held`. */
  heldBy: Map<string, Set<string>>
  byId: Map<string, Contact>
  conversations: Map<string, Conversation>
}

/**
 * Creates a plan of the resolution of customers: `resolve` finds or creates the contact and conversation of each, and
 * later ones see those of earlier ones. Pure, except for the ids it makes.
 */
export function planCustomerResolution({ ids, now }: { ids: Ids; now: Date }) {
  const resolution: Resolution = {
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
    createdContacts: [],
    startedConversations: [],
    byIdentifier: new Map(),
    heldBy: new Map(),
    byId: new Map(),
    conversations: new Map(),
  }
  return {
    writes: resolution.writes,
    /**
     * `contact.created` precedes `conversation.started`; updates are raised between them. The events show contacts in
     * their final state.
     */
    get created(): EventToRaise[] {
      return resolution.createdContacts.map((one) => createdEvent(one, now))
    },
    get started(): EventToRaise[] {
      return resolution.startedConversations.map(startedEvent)
    },
    resolve(customer: Customer, known: Known): ResolvedIds {
      const match = resolveContact(resolution, customer, known)
      const { contact } = match
      const { conversation, isFirst } = resolveConversation(resolution, customer, known, match)
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

function resolveContact(resolution: Resolution, customer: Customer, known: Known): ContactIdentity {
  const { identifiers, reported } = customer
  const proof = proofOf(reported.source, customer.channel.type)
  const earlier = identifiers.flatMap(
    (identifier) => resolution.byIdentifier.get(nameOf(customer, identifier)) ?? [],
  )
  const stored = storedIdentity(resolution, known)
  const found = [...earlier, ...(stored ? [stored] : [])]
  if (proof === 'shown' && !isSettled(resolution, customer, known, found)) {
    throw new IdentityUnsettled(customer)
  }
  const match = found[0] ?? makeContact(resolution, customer, known)
  if (found.length > 0 && customer.learns) {
    const isNewId = identifiers.some(
      ({ kind }) => kind !== 'number' && !known.knownKinds.includes(kind),
    )
    const isIdUpdated = isNewId || !match.contact.whatsappId
    updateContact(
      resolution,
      match.contact,
      isIdUpdated ? reported : { ...reported, whatsappId: null },
    )
  }
  for (const identifier of identifiers)
    addIdentifier(resolution, { customer, known, match, proof }, identifier)
  resolution.byId.set(match.contact.id, match.contact)
  return match
}

function makeContact(
  { ids, writes, createdContacts }: Resolution,
  customer: Customer,
  known: Known,
): ContactIdentity {
  const { company, reported } = customer
  const { tag, source, email = null, rawPhone = null, ...shown } = reported
  const optedOutAt = known.rememberedOptOutAt
  const given = { companyId: company.id, email, rawPhone, tag, source, optedOutAt }
  const row = { id: ids.uuid(), ...shown, ...given }
  writes.contacts.push(row)
  createdContacts.push({ company, row })
  const match = { contact: row, identityId: ids.uuid() }
  writes.identities.push({ id: match.identityId, companyId: company.id, contactId: row.id })
  return match
}

type ResolvedMatch = {
  customer: Customer
  known: Known
  match: ContactIdentity
  proof: ReturnType<typeof proofOf>
}

function addIdentifier(
  { ids, writes, byIdentifier, heldBy }: Resolution,
  { customer, known, match, proof }: ResolvedMatch,
  identifier: Identifier,
): void {
  const { company } = customer
  const { contact, identityId } = match
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
  if (!byIdentifier.has(name)) byIdentifier.set(name, match)
}

/** Returns false when the identifiers belong to several identities, or a new one competes with another of its kind. */
function isSettled(
  { byIdentifier, heldBy }: Resolution,
  customer: Customer,
  known: Known,
  found: readonly ContactIdentity[],
): boolean {
  const [match] = found
  if (found.some(({ identityId }) => identityId !== match!.identityId) || known.isSplit)
    return false
  if (known.formerSince !== null && customer.at > known.formerSince) return false
  if (known.held.length >= IDENTITY_LIMITS.ofContact) return false
  const held = new Set([...known.held, ...(heldBy.get(match?.identityId ?? '') ?? [])])
  return customer.identifiers.every(
    (identifier) =>
      known.knownKinds.includes(identifier.kind) ||
      byIdentifier.has(nameOf(customer, identifier)) ||
      !isExclusiveKind(identifier.kind) ||
      !held.has(slotOf(customer, identifier)),
  )
}

function storedIdentity({ byId }: Resolution, known: Known): ContactIdentity | undefined {
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

/** Adds a name, phone and language where the contact has none, and replaces the provider's id by the newest. */
function updateContact(
  { createdContacts, writes }: Resolution,
  contact: Contact,
  reported: Customer['reported'],
): void {
  const name = contact.name ?? reported.name
  const phone = contact.phone ?? reported.phone
  const whatsappId = reported.whatsappId ?? contact.whatsappId
  const language = contact.language ?? reported.language
  const isSame =
    name === contact.name &&
    phone === contact.phone &&
    whatsappId === contact.whatsappId &&
    language === contact.language
  if (isSame) return
  Object.assign(contact, { name, phone, whatsappId, language })
  // A new contact is this same object, so its row and event show the update.
  const isNew = createdContacts.some(({ row }) => row.id === contact.id)
  if (!isNew && !writes.learnt.includes(contact)) writes.learnt.push(contact)
}

function resolveConversation(
  { ids, writes, conversations, startedConversations }: Resolution,
  customer: Customer,
  known: Known,
  { contact, identityId }: ContactIdentity,
): { conversation: Conversation; isFirst: boolean } {
  const { channel, company } = customer
  const { filedUnder } = customer.identifiers[0]
  const key = `${channel.id} ${identityId}`
  const isKnown = known.conversationId !== null && known.identityId === identityId
  const before =
    conversations.get(key) ??
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
  conversations.set(key, conversation)
  const isFirst =
    before === null
      ? customer.announces !== 'none'
      : customer.announces === 'not_announced' && !conversation.isAnnounced
  if (isFirst) {
    conversation.isAnnounced = true
    startedConversations.push({ customer, conversation, contact })
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

function createdEvent({ company, row }: CreatedContact, now: Date): EventToRaise {
  const { tag, email = null } = row
  return {
    type: 'contact.created',
    company,
    occurredAt: now,
    contactId: row.id,
    data: contactData({ ...row, email, tags: tag === null ? [] : [tag], fields: {} }),
  }
}

function startedEvent({ customer, conversation, contact }: StartedConversation): EventToRaise {
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
