import { emailInput } from '../../schemas/email-input.ts'
import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { CONTACT_LIMITS, SEARCH_LIMITS } from '../../core/limits/contacts.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import {
  CONTACT_FIELD_KINDS,
  type ContactFieldKind,
  type ContactSource,
  type OptOutHow,
} from '../../core/vocabulary/contacts.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import { LANGUAGES } from '../../core/vocabulary/hooks.ts'
import type { LeadSource, LeadStatus } from '../../core/vocabulary/leads.ts'
import { limitEntries } from '../../schemas/limit-entries.ts'
import { failsWith, factIssue, ruleCode } from '../../schemas/broken-rule.ts'
import type { ChannelName } from './conversation.ts'
import { orderedPageQuery, type NamedPageQuery } from './ordered-page.ts'
import { PageQuery, type List, type Page } from './page.ts'
import { countryOfPhone, writtenPhone } from './phone.ts'
import type { TemplateView } from './template.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './localized-fact.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import { UUID_PATTERN } from '../../rules/text/uuid.ts'
import type { IdentitiesView } from './identity.ts'
import type { Route } from './route.ts'

const KEY = /^[a-z][a-z0-9_]{0,39}$/

const name = formText(1, CONTACT_LIMITS.nameChars).nullable()
const phone = writtenPhone.nullable()
const email = emailInput.nullable()
const language = z.enum(LANGUAGES).nullable()
/** A tag as a member writes it. */
export const tagText = formText(1, CONTACT_LIMITS.tagChars)
const tags = z.array(tagText).max(CONTACT_LIMITS.tags)
/** Null removes the value. */
const fields = limitEntries(
  z.record(
    z.string().regex(KEY, ruleCode('wrong_field_key')),
    z.string().transform(cleanText).nullable(),
  ),
  { max: CONTACT_LIMITS.fields, unit: 'fields' },
)

export const CreateContact = z
  .strictObject({ name, phone, country: countryOfPhone, email, language, tags, fields })
  .partial()
  .refine((contact) => Boolean(contact.name ?? contact.phone ?? contact.email), {
    path: ['name'],
    ...failsWith(fact('contact_nameless')),
  })
export type CreateContact = z.output<typeof CreateContact>

/** The fields to change. Null removes a value. */
export const EditContact = z
  .strictObject({ name, phone, country: countryOfPhone, email, language })
  .extend({ addTags: tags, removeTags: tags, fields })
  .partial()
export type EditContact = z.output<typeof EditContact>

/** A page of the contacts that match a filter. */
export const ContactQuery = PageQuery.extend({
  /** A name or a part of it, a phone in any form, an e-mail address, or an id. */
  q: formText(1, SEARCH_LIMITS.queryChars).optional(),
  tag: tagText.optional(),
  optedOut: z.enum(['true', 'false']).optional(),
  /** The contacts that match the segment now. */
  segmentId: uuidInput.optional(),
})
export type ContactQuery = z.output<typeof ContactQuery>

/** A member's decision to opt a contact in, with its reason. */
export const OptIn = z.strictObject({ reason: formText(1, CONTACT_LIMITS.reasonChars) })
export type OptIn = z.output<typeof OptIn>

/** The other contact of a merge or of its undoing. */
export const MergeContact = z.strictObject({ fromId: uuidInput })
export type MergeContact = z.output<typeof MergeContact>

/** Two contacts that are not the same customer, so that a merge is not suggested again. */
export const MarkNotSame = z.strictObject({ contactIds: z.tuple([uuidInput, uuidInput]) })
export type MarkNotSame = z.output<typeof MarkNotSame>

/** A confirmation of the client, because an erasure is final. */
export const EraseContact = z.strictObject({ confirm: z.literal(true) })

/** Two contacts that may be the same customer, and the value that they share. */
export type DuplicateView = {
  /**
   * The reason for a suggested merge. `shown_as_one`: the provider shows them as one customer, together with too many
   * others. `account_again`: another account arrived with the first one's number in the last 90 days. `number_moved`:
   * one lost the number to the other since then. `raw_phone`: a number without its country code is the end of the
   * other's number.
   */
  by: 'shown_as_one' | 'account_again' | 'number_moved' | 'email' | 'raw_phone' | 'name'
  /** The value as people wrote it. */
  value: string
  /** The older one first. */
  contacts: [ListedContact, ListedContact]
}

/** A page of suggested merges. */
export const DuplicateQuery = orderedPageQuery(
  z.string().regex(/^[0-5]$/),
  z.string().regex(new RegExp(`^${UUID_PATTERN}_${UUID_PATTERN}$`)),
)
export type DuplicateQuery = z.output<typeof DuplicateQuery>

export type ContactView = {
  id: string
  name: string | null
  /** E.164. */
  phone: string | null
  /** The number as written, if its country is unknown. */
  rawPhone: string | null
  whatsAppId: string | null
  email: string | null
  language: string | null
  tags: string[]
  /** Values of fields that are not archived. */
  fields: Record<string, string>
  optedOut: boolean
  optedOutAt: string | null
  source: ContactSource
  createdAt: string
  updatedAt: string
}

/** A contact of the list. */
export type ListedContact = ContactView & {
  /** The channels on which the contact has a conversation. */
  channels: ChannelType[]
  /** The time of the contact's last message; null if there is none. */
  lastSeenAt: string | null
}

/** An entry of the history of opt-outs and opt-ins. */
export type OptOutView = {
  id: string
  optedOut: boolean
  how: OptOutHow
  /** The member who acted. */
  person: { id: string; name: string | null } | null
  conversationId: string | null
  reason: string | null
  at: string
}

/** An entry of a contact's history. Entries are listed newest first. */
export type TimelineEntry = { id: string; at: string } & (
  | { kind: 'created'; source: ContactSource }
  | { kind: 'conversation'; channelId: string; channelType: string }
  | { kind: 'lead_made'; status: LeadStatus; source: LeadSource }
  | { kind: 'opted_out' | 'opted_in'; how: OptOutHow; reason: string | null }
)

/**
 * A page of a contact's history. Several entries may have the same time, so a cursor has the time and the id of the
 * last entry.
 */
export const TimelineQuery = PageQuery.extend({
  cursor: z
    .string()
    .transform((cursor, check) => {
      const place = readTimelineCursor(cursor)
      if (place) return place
      check.addIssue(factIssue(fact('wrong_cursor')))
      return z.NEVER
    })
    .optional(),
})
export type TimelineQuery = z.output<typeof TimelineQuery>

/** Returns the cursor of a position in a contact's timeline. */
export function writeTimelineCursor({ at, id }: { at: Date; id: string }): string {
  return btoa(`${at.toISOString()} ${id}`).replaceAll('=', '')
}

function readTimelineCursor(cursor: string): { at: Date; id: string } | null {
  try {
    const [, at, id] =
      /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([\w-]{1,64})$/.exec(atob(cursor)) ?? []
    return at === undefined || !isTime(at) ? null : { at: new Date(at), id: id! }
  } catch {
    return null
  }
}

/** Returns whether a text in the form of a time is a time that PostgreSQL stores, which has no year 0. */
const isTime = (text: string) => !text.startsWith('0000') && !Number.isNaN(Date.parse(text))

const choices = z.array(formText(1, CONTACT_LIMITS.fieldLabelChars)).max(CONTACT_LIMITS.choices)
const label = formText(1, CONTACT_LIMITS.fieldLabelChars)

export const CreateContactField = z
  .strictObject({
    key: z.string().regex(KEY, ruleCode('wrong_field_key')),
    label,
    kind: z.enum(CONTACT_FIELD_KINDS),
    choices: choices.default([]),
  })
  .refine(({ kind, choices: given }) => kind !== 'choice' || given.length > 0, {
    path: ['choices'],
    ...failsWith(fact('choices_needed')),
  })
  .refine(({ kind, choices: given }) => kind === 'choice' || given.length === 0, {
    path: ['choices'],
    ...failsWith(fact('choices_not_wanted')),
  })
export type CreateContactField = z.output<typeof CreateContactField>

/** The key and the kind of a field are fixed, because stored values depend on both. */
export const EditContactField = z
  .strictObject({ label, choices, isArchived: z.boolean() })
  .partial()
export type EditContactField = z.output<typeof EditContactField>

export type ContactFieldView = {
  id: string
  key: string
  label: string
  kind: ContactFieldKind
  choices: string[]
  isArchived: boolean
}

export const RenameTag = z.strictObject({ tag: tagText, newTag: tagText })
export type RenameTag = z.output<typeof RenameTag>

export const DeleteTag = z.strictObject({ tag: tagText })
export type DeleteTag = z.output<typeof DeleteTag>

export type TagJobView = {
  id: string
  tag: string
  /** Null removes the tag. */
  newTag: string | null
  isDone: boolean
  /** Contacts that were changed so far. */
  changed: number
}

/** A channel on which a contact can be written to first. */
export type WayToWrite = {
  channel: ChannelName
  /** The reason why the contact cannot be written to here; null if they can. */
  whyNot: LocalizedFact | null
  /** Approved templates, by name; none if templates may not be sent. */
  templates: TemplateView[]
}

export interface ContactRoutes {
  '/companies/:companyId/contacts': {
    get: Route<Page<ListedContact>, { query: typeof ContactQuery }>
    post: Route<ContactView, { json: typeof CreateContact }>
  }
  '/companies/:companyId/contacts/:contactId': {
    get: Route<ContactView>
    patch: Route<ContactView, { json: typeof EditContact }>
  }
  '/companies/:companyId/contacts/:contactId/opt-out': { post: Route<ContactView> }
  '/companies/:companyId/contacts/:contactId/opt-in': {
    post: Route<ContactView, { json: typeof OptIn }>
  }
  '/companies/:companyId/contacts/:contactId/opt-outs': {
    get: Route<Page<OptOutView>, { query: typeof PageQuery }>
  }
  '/companies/:companyId/contacts/:contactId/timeline': {
    get: Route<Page<TimelineEntry>, { query: typeof TimelineQuery }>
  }
  '/companies/:companyId/contacts/:contactId/identities': { get: Route<IdentitiesView> }
  '/companies/:companyId/contacts/:contactId/ways-to-write': { get: Route<List<WayToWrite>> }
  '/companies/:companyId/contacts/:contactId/merge': {
    post: Route<ContactView, { json: typeof MergeContact }>
  }
  '/companies/:companyId/contacts/:contactId/unmerge': {
    post: Route<ContactView, { json: typeof MergeContact }>
  }
  '/companies/:companyId/contacts/:contactId/erase': {
    post: Route<ContactView, { json: typeof EraseContact }>
  }
  '/companies/:companyId/contact-duplicates': {
    get: Route<Page<DuplicateView>, { query: typeof DuplicateQuery }>
  }
  '/companies/:companyId/contact-duplicates/not-same': {
    post: Route<null, { json: typeof MarkNotSame }>
  }
  '/companies/:companyId/contact-fields': {
    get: Route<List<ContactFieldView>>
    post: Route<ContactFieldView, { json: typeof CreateContactField }>
  }
  '/companies/:companyId/contact-fields/:fieldId': {
    patch: Route<ContactFieldView, { json: typeof EditContactField }>
  }
  '/companies/:companyId/tags': {
    get: Route<Page<{ tag: string }>, { query: typeof NamedPageQuery }>
  }
  '/companies/:companyId/tags/jobs': { get: Route<Page<TagJobView>, { query: typeof PageQuery }> }
  '/companies/:companyId/tags/rename': { post: Route<TagJobView, { json: typeof RenameTag }> }
  '/companies/:companyId/tags/delete': { post: Route<TagJobView, { json: typeof DeleteTag }> }
}
