import type { Ids } from '../ids.ts'
import type { EventToRaise } from '../events/raise-event.ts'
import type { ContactSource } from '../vocabulary/contacts.ts'
import { contactData, contactSummary } from './contact.ts'
import { conversationSummary } from './conversation.ts'
import type { Alias } from './lock-customer.ts'
import type { KnownCustomer } from './look-up-customers.sql.ts'
import type { MetWrites } from './write-met.sql.ts'

export type Customer = {
  company: { id: string; name: string | null }
  channel: { id: string; type: string }
  /** Every id that they are known by; a conversation is filed under the first. */
  aliases: readonly [Alias, ...Alias[]]
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
/** A contact, and as which of those that became part of it a customer is known. */
type Who = { contact: Contact; mergedFrom: string | null }
type Conversation = { id: string; filedUnder: string; isAnnounced: boolean }
type Newcomer = { company: Customer['company']; row: MetWrites['contacts'][number] }
type Beginning = { customer: Customer; conversation: Conversation; contact: Contact }

/**
 * Decides what becomes of customers as if they were met one after the other: an earlier one's contact,
 * ids and conversation are there for the later ones. Pure but for the ids it makes.
 */
export function planMeetings({ ids, now }: { ids: Ids; now: Date }) {
  const writes: MetWrites = {
    contacts: [],
    aliases: [],
    conversations: [],
    learnt: [],
    announced: [],
  }
  const newcomers: Newcomer[] = []
  const beginnings: Beginning[] = []
  const byAlias = new Map<string, Who>()
  const byId = new Map<string, Contact>()
  const conversations = new Map<string, Conversation>()

  function meetContact(customer: Customer, known: Known): Who {
    const { company, aliases, told } = customer
    const at = ({ kind, value }: Alias) => `${company.id} ${kind} ${value}`
    const met = (isScoped: boolean) =>
      aliases
        .filter(({ kind }) => (kind !== 'number') === isScoped)
        .map((alias) => byAlias.get(at(alias)))
        .find((who) => who !== undefined)
    let who = met(true) ?? whoIs(known) ?? met(false)
    if (!who) {
      const { tag, source, email = null, rawPhone = null, ...shown } = told
      const optedOutAt = known.rememberedOptOutAt
      const given = { companyId: company.id, email, rawPhone, tag, source, optedOutAt }
      const row = { id: ids.uuid(), ...shown, ...given }
      writes.contacts.push(row)
      newcomers.push({ company, row })
      who = { contact: row, mergedFrom: null }
    } else if (customer.learns) {
      learn(who.contact, told)
    }
    const { contact, mergedFrom } = who
    // Whoever fills in a form, here or in the shop, may be anybody: no provider has shown whose number it is.
    const learntFrom = told.source === 'message' ? 'provider' : 'person'
    for (const alias of aliases) {
      const key = at(alias)
      if (!byAlias.has(key) && !known.knownKinds.includes(alias.kind)) {
        const of = { companyId: company.id, contactId: contact.id, mergedFrom }
        writes.aliases.push({ ...alias, ...of, learntFrom })
      }
      if (!byAlias.has(key)) byAlias.set(key, who)
    }
    byId.set(contact.id, contact)
    return who
  }

  function whoIs(known: Known): Who | undefined {
    if (known.contactId === null) return undefined
    const contact = byId.get(known.contactId) ?? {
      id: known.contactId,
      name: known.contactName,
      phone: known.phone ?? null,
      whatsappId: known.whatsappId ?? null,
      language: known.contactLanguage,
    }
    return { contact, mergedFrom: known.mergedFrom }
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
    const { contact, mergedFrom } = who
    const filedUnder = customer.aliases[0].value
    const filed = `${channel.id} ${filedUnder}`
    // Of two that became one contact, each has its own.
    const ofOne = `${channel.id} of ${contact.id} ${mergedFrom ?? ''}`
    const isKnown =
      known.conversationId !== null &&
      (known.filedUnder === filedUnder || known.contactId === contact.id)
    let conversation = conversations.get(filed)
    if (!conversation && isKnown) {
      conversation = conversations.get(known.conversationId!) ?? {
        id: known.conversationId!,
        filedUnder: known.filedUnder!,
        isAnnounced: known.announcedAt !== null,
      }
      conversations.set(conversation.id, conversation)
    }
    conversation ??= conversations.get(ofOne)
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
        mergedFrom,
        isAnnounced,
      })
      if (isAnnounced) announce(conversation)
      remember(conversation)
      return { conversation, isFirst: isAnnounced }
    }
    remember(conversation)
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
    function remember(found: Conversation) {
      conversations.set(filed, conversations.get(filed) ?? found)
      conversations.set(ofOne, conversations.get(ofOne) ?? found)
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
