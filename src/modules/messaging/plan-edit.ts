import { isDeepStrictEqual } from 'node:util'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import { searchForm } from '../../rules/text/search-form.ts'
import type { OptOutHow } from '../../core/vocabulary/contacts.ts'
import type { ContactRow } from './contact.ts'

/** A decision that opts a contact out or in: by a customer's keyword or link, by a member, or by a merge. */
export type OptOutDecision = {
  optedOut: boolean
  /** The time of the decision. */
  at: Date
  /**
   * The time of the customer's original statement that this repeats; an older keyword that arrives late changes
   * nothing.
   */
  saidAt?: Date
  how: OptOutHow
  /** The member who did it. */
  actorId?: string
  /** The conversation in which the customer said it. */
  conversationId?: string
  /** The broadcast whose opt-out link the customer used. */
  broadcastId?: string
  reason?: string
}

/** The changes of a contact. A value that is undefined stays; null removes it. */
export type ContactChange = {
  name?: string | null | undefined
  phone?: string | null | undefined
  rawPhone?: string | null | undefined
  whatsappId?: string | null | undefined
  email?: string | null | undefined
  /** The contact source that vouches for the new e-mail address; without one it is not trusted. */
  emailFrom?: string | null | undefined
  language?: string | null | undefined
  addTags?: readonly string[] | undefined
  removeTags?: readonly string[] | undefined
  /** Values by key; null removes a value. */
  fields?: Readonly<Record<string, string | null>>
  optOut?: OptOutDecision
}

/** A contact after a planned change. */
export type PlannedEdit = {
  contact: ContactRow
  /** States whether any stored value differs. */
  isChanged: boolean
  /** Tags that exceed the contact's limit. */
  tagsLeftOut: string[]
  /** The decision that has just opted the contact out or in. */
  flippedBy: OptOutDecision | null
}

const PLAIN = ['name', 'phone', 'rawPhone', 'whatsappId', 'email', 'language'] as const

/**
 * Returns the state of a contact after a change. Tags compare without case and keep their first spelling. The newest
 * decision on an opt-out counts: an older one that arrives late changes nothing, and of two at the same time the later
 * arrival counts. Pure.
 *
 * Spec: Contacts › Tags; Contacts › Opt-out; reading F15.
 */
export function planEdit(before: ContactRow, change: ContactChange, now: Date): PlannedEdit {
  const contact = { ...before }
  for (const key of PLAIN) if (change[key] !== undefined) contact[key] = change[key]
  if (change.email !== undefined) contact.emailFrom = change.email && (change.emailFrom ?? null)
  contact.searchName = contact.name === null ? null : searchForm(contact.name)
  const { tags, tagsLeftOut } = changedTags(before.tags, change)
  contact.tags = tags
  contact.fields = changedFields(before.fields, change.fields ?? {})
  const isEdited = !isDeepStrictEqual(contact, before)
  const flippedBy = applyOptOut(contact, change.optOut)
  if (isEdited || flippedBy) contact.updatedAt = now
  return { contact, isChanged: !isDeepStrictEqual(contact, before), tagsLeftOut, flippedBy }
}

function changedTags(before: readonly string[], { addTags = [], removeTags = [] }: ContactChange) {
  const removed = new Set(removeTags.map(comparable))
  const tags = before.filter((tag) => !removed.has(comparable(tag)))
  const has = new Set(tags.map(comparable))
  const tagsLeftOut: string[] = []
  for (const tag of addTags) {
    if (has.has(comparable(tag))) continue
    if (tags.length >= CONTACT_LIMITS.tags) {
      tagsLeftOut.push(tag)
      continue
    }
    has.add(comparable(tag))
    tags.push(tag)
  }
  return { tags, tagsLeftOut }
}

/** Returns the form in which tags are compared: case does not distinguish them. */
const comparable = (tag: string) => tag.toLowerCase()

function changedFields(
  before: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const fields = { ...before }
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete fields[key]
    else fields[key] = value
  }
  return fields
}

/** Applies an opt-out or opt-in to `contact`. Returns it if the state changed, else null. */
function applyOptOut(
  contact: ContactRow,
  change: OptOutDecision | undefined,
): OptOutDecision | null {
  if (!change || (contact.optOutWordAt && change.at < contact.optOutWordAt)) return null
  contact.optOutWordAt = change.saidAt ?? change.at
  contact.optOutWordHow = change.how
  if (change.optedOut === (contact.optedOutAt !== null)) return null
  contact.optedOutAt = change.optedOut ? change.at : null
  return change
}
