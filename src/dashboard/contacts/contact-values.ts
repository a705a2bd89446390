import type { ContactView } from '../../contract/dashboard/contact.ts'
import { LANGUAGES } from '../../vocabulary/hooks.ts'

/** What stands in the form of a contact. */
export type ContactValues = {
  name: string
  phone: string
  email: string
  language: string | null
  tags: string[]
  /** A field that the contact has not has no value until somebody types one. */
  fields: Record<string, string | null | undefined>
}

const orNull = (text: string | null | undefined): string | null =>
  text === undefined || text === null || text.trim() === '' ? null : text

const languageOf = (given: string | null) => LANGUAGES.find((one) => one === given) ?? null

export function toValues(contact: ContactView | null): ContactValues {
  return {
    name: contact?.name ?? '',
    phone: contact?.phone ?? contact?.rawPhone ?? '',
    email: contact?.email ?? '',
    language: contact?.language ?? null,
    tags: contact?.tags ?? [],
    fields: contact?.fields ?? {},
  }
}

export function toNewContact({ name, phone, email, language, tags, fields }: ContactValues) {
  const given = Object.entries(fields)
    .map(([key, value]) => [key, orNull(value)] as const)
    .filter(([, value]) => value !== null)
  return {
    name: orNull(name),
    email: orNull(email),
    language: languageOf(language),
    phone: orNull(phone),
    tags,
    fields: Object.fromEntries(given),
  }
}

/**
 * What somebody has changed, by what stood in the form when it was opened: what others have done to the contact
 * meanwhile is not undone by it.
 */
export function toChanges(before: ContactView, values: ContactValues) {
  const was = toValues(before)
  const { name, phone, email, language, tags, fields } = values
  const changed = Object.entries(fields).filter(
    ([key, value]) => orNull(value) !== (before.fields[key] ?? null),
  )
  return {
    ...(name !== was.name && { name: orNull(name) }),
    ...(phone !== was.phone && { phone: orNull(phone) }),
    ...(email !== was.email && { email: orNull(email) }),
    ...(language !== was.language && { language: languageOf(language) }),
    addTags: tags.filter((tag) => !before.tags.includes(tag)),
    removeTags: before.tags.filter((tag) => !tags.includes(tag)),
    fields: Object.fromEntries(changed.map(([key, value]) => [key, orNull(value)])),
  }
}
