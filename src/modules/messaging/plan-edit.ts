import { isDeepStrictEqual } from 'node:util'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import { searchForm } from '../../rules/text/search-form.ts'
import type { OptOutHow } from '../../core/vocabulary/contacts.ts'
import type { ContactRow } from './contact.ts'

/** That a customer wants to hear no more, or wants to again, whoever said so. */
export type OptOutKeyword = {
  optedOut: boolean
  /** Its own time. */
  at: Date
  /** When the customer said what it repeats: a word that is older than that and comes late changes nothing. */
  saidAt?: Date
  how: OptOutHow
  /** Who did it, of a member's act. */
  actorId?: string
  /** Where it was said, of a customer's word. */
  conversationId?: string
  /** Whose link it was. */
  broadcastId?: string
  reason?: string
}

/** What becomes of a contact. What is not named stays; null takes the value away. */
export type ContactChange = {
  name?: string | null | undefined
  phone?: string | null | undefined
  rawPhone?: string | null | undefined
  whatsappId?: string | null | undefined
  email?: string | null | undefined
  /** Which source of contacts gives the e-mail address that is named; without one it is not believed. */
  emailFrom?: string | null | undefined
  language?: string | null | undefined
  addTags?: readonly string[] | undefined
  removeTags?: readonly string[] | undefined
  /** By key; null takes a value away. */
  fields?: Readonly<Record<string, string | null>>
  optOut?: OptOutKeyword
}

export type PlannedEdit = {
  contact: ContactRow
  /** Anything that is kept differs. */
  isChanged: boolean
  /** Tags that the contact has no room for. */
  tagsLeftOut: string[]
  /** The word that opted the contact out or in just now. */
  flippedBy: OptOutKeyword | null
}

const PLAIN = ['name', 'phone', 'rawPhone', 'whatsappId', 'email', 'language'] as const

/**
 * Decides what a contact is after a change. Tags are the same whatever their case, and stay as they were
 * written first. The newest word or act decides whether a contact is opted out; an older one that comes
 * late changes nothing, and of two at one time the later arrival counts. Pure.
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
  const flippedBy = takeWord(contact, change.optOut)
  if (isEdited || flippedBy) contact.updatedAt = now
  return { contact, isChanged: !isDeepStrictEqual(contact, before), tagsLeftOut, flippedBy }
}

function changedTags(before: readonly string[], { addTags = [], removeTags = [] }: ContactChange) {
  const removed = new Set(removeTags.map(asCompared))
  const tags = before.filter((tag) => !removed.has(asCompared(tag)))
  const has = new Set(tags.map(asCompared))
  const tagsLeftOut: string[] = []
  for (const tag of addTags) {
    if (has.has(asCompared(tag))) continue
    if (tags.length >= CONTACT_LIMITS.tags) {
      tagsLeftOut.push(tag)
      continue
    }
    has.add(asCompared(tag))
    tags.push(tag)
  }
  return { tags, tagsLeftOut }
}

/** Two tags that differ in case alone are one. */
const asCompared = (tag: string) => tag.toLowerCase()

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

function takeWord(contact: ContactRow, word: OptOutKeyword | undefined): OptOutKeyword | null {
  if (!word || (contact.optOutWordAt && word.at < contact.optOutWordAt)) return null
  contact.optOutWordAt = word.saidAt ?? word.at
  contact.optOutWordHow = word.how
  if (word.optedOut === (contact.optedOutAt !== null)) return null
  contact.optedOutAt = word.optedOut ? word.at : null
  return word
}
