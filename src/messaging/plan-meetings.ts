import type { Ids } from '../ids.ts'
import type { EventToRaise } from '../events/raise-event.ts'
import type { ContactSource } from '../vocabulary/contacts.ts'
import { contactData, contactSummary } from './contact.ts'
import { conversationSummary } from './conversation.ts'
import { isOnly, isScoped, proofOf, type Identifier } from '../rules/identity/identifier.ts'
import { MOST_OF_KIND } from '../rules/identity/settle.ts'
import type { KnownCustomer } from './look-up-customers.sql.ts'
import type { MetWrites } from './write-met.sql.ts'

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
type Newcomer = { company: Customer['company']; row: MetWrites['contacts'][number] }
type Beginning = { customer: Customer; conversation: Conversation; contact: Contact }

const nameOf = ({ company }: Customer, { kind, key }: Identifier) => `${company.id} ${kind} ${key}`

/** As `KnownCustomer.held` has it: an identity has one identifier of a kind that is its only one, in a scope. */
const slotOf = ({ scope }: Customer, { kind }: Identifier) =>
  `${kind} ${isScoped(kind) ? (scope ?? '') : ''}`

/**
 * Decides what becomes of customers as if they were met one after the other: an earlier one's contact,
 * ids and conversation are there for the later ones. Pure but for the ids it makes.
 */
export function planMeetings({ ids, now }: { ids: Ids; now: Date }) {
  const writes: MetWrites = {
    contacts: [],
    identities: [],
    identifiers: [],
    conversations: [],
    learnt: [],
    shown: [],
    announced: [],
  }
  const newcomers: Newcomer[] = []
  const beginnings: Beginning[] = []
  const byIdentifier = new Map<string, Who>()
  /** What identities have got here, as `KnownCustomer.held`. */
  const heldBy = new Map<string, Set<string>>()
  const byId = new Map<string, Contact>()
  const conversations = new Map<string, Conversation>()

  function meetContact(customer: Customer, known: Known): Who {
    const { company, identifiers, told } = customer
    const proof = proofOf(told.source, customer.channel.type)
    const met = identifiers.flatMap(
      (identifier) => byIdentifier.get(nameOf(customer, identifier)) ?? [],
    )
    const stored = whoIs(known)
    if (proof === 'shown' && !isSettled(customer, known, [...met, ...(stored ? [stored] : [])])) {
      throw new IdentityUnsettled(customer)
    }
    let who = met[0] ?? stored
    if (!who) {
      const { tag, source, email = null, rawPhone = null, ...shown } = told
      const optedOutAt = known.rememberedOptOutAt
      const given = { companyId: company.id, email, rawPhone, tag, source, optedOutAt }
      const row = { id: ids.uuid(), ...shown, ...given }
      writes.contacts.push(row)
      newcomers.push({ company, row })
      who = { contact: row, identityId: ids.uuid() }
      writes.identities.push({ id: who.identityId, companyId: company.id, contactId: row.id })
    } else if (customer.learns) {
      const isNewId = identifiers.some(
        ({ kind }) => kind !== 'number' && !known.knownKinds.includes(kind),
      )
      learn(who.contact, isNewId || !who.contact.whatsappId ? told : { ...told, whatsappId: null })
    }
    const { contact, identityId } = who
    for (const identifier of identifiers) {
      const { kind, key, value } = identifier
      const of = { companyId: company.id, kind, key }
      if (!byIdentifier.has(nameOf(customer, identifier)) && !known.knownKinds.includes(kind)) {
        const scope = isScoped(kind) ? (customer.scope ?? null) : null
        const shownAt = proof === 'shown' ? customer.at : null
        if (proof === 'form' && kind === 'number') {
          const apart = { id: ids.uuid(), companyId: company.id, contactId: contact.id }
          writes.identities.push(apart)
          writes.identifiers.push({ ...of, value, identityId: apart.id, scope, proof, shownAt })
          byIdentifier.set(nameOf(customer, identifier), { contact, identityId: apart.id })
          continue
        }
        writes.identifiers.push({ ...of, value, identityId, scope, proof, shownAt })
        const held = heldBy.get(identityId) ?? new Set()
        heldBy.set(identityId, held.add(slotOf(customer, identifier)))
      } else if (proof === 'shown' && known.unshownKinds.includes(kind)) {
        writes.shown.push(of)
      }
      if (!byIdentifier.has(nameOf(customer, identifier))) {
        byIdentifier.set(nameOf(customer, identifier), who)
      }
    }
    byId.set(contact.id, contact)
    return who
  }

  /** False where the identifiers are not one identity's, or one of them is new beside another of its kind. */
  function isSettled(customer: Customer, known: Known, found: readonly Who[]) {
    const [who] = found
    if (found.some(({ identityId }) => identityId !== who!.identityId) || known.isSplit)
      return false
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

  function whoIs(known: Known): Who | undefined {
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
  function learn(contact: Contact, told: Customer['told']) {
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

  function meetConversation({ channel, ...customer }: Customer, known: Known, who: Who) {
    const { contact, identityId } = who
    const { filedUnder } = customer.identifiers[0]
    const place = `${channel.id} ${identityId}`
    let conversation = conversations.get(place)
    if (!conversation && known.conversationId !== null && known.identityId === identityId) {
      conversation = {
        id: known.conversationId,
        filedUnder: known.filedUnder!,
        isAnnounced: known.announcedAt !== null,
      }
      conversations.set(place, conversation)
    }
    if (!conversation) {
      const isAnnounced = customer.announces !== 'none'
      conversation = { id: `c_${ids.uuid().replaceAll('-', '')}`, filedUnder, isAnnounced }
      writes.conversations.push({
        id: conversation.id,
        filedUnder,
        companyId: customer.company.id,
        channelId: channel.id,
        channelType: channel.type,
        contactId: contact.id,
        identityId,
        isAnnounced,
      })
      conversations.set(place, conversation)
      if (isAnnounced) announce(conversation)
      return { conversation, isFirst: isAnnounced }
    }
    const isFirst = customer.announces === 'not_announced' && !conversation.isAnnounced
    if (isFirst) {
      conversation.isAnnounced = true
      const made = writes.conversations.find(({ id }) => id === conversation.id)
      if (made) made.isAnnounced = true
      else writes.announced.push(conversation.id)
      announce(conversation)
    }
    return { conversation, isFirst }

    function announce(begun: Conversation) {
      beginnings.push({ customer: { channel, ...customer }, conversation: begun, contact })
    }
  }

  return {
    writes,
    /**
     * `contact.created` before `conversation.started`; what was learnt is told between them. They tell of
     * contacts as the last meeting leaves them.
     */
    get created(): EventToRaise[] {
      return newcomers.map((one) => createdEvent(one, now))
    },
    get started(): EventToRaise[] {
      return beginnings.map(startedEvent)
    },
    meet(customer: Customer, known: Known): Place {
      const who = meetContact(customer, known)
      const { contact } = who
      const { conversation, isFirst } = meetConversation(customer, known, who)
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
