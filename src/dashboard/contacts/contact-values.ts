import type { ContactView } from '../../contract/dashboard/contact.ts'
import type { Country } from '../../core/vocabulary/countries.ts'
import { LANGUAGES } from '../../core/vocabulary/hooks.ts'
import type { ChosenCountry } from '../parts/chosen-country.ts'

/** The values of the form of a contact. */
export type ContactValues = {
  name: string
  phone: string
  /** The country for a phone number without country code. */
  country: ChosenCountry
  email: string
  language: string | null
  tags: string[]
  /** A custom field without a value is undefined until the member types one. */
  fields: Record<string, string | null | undefined>
}

/** The values of the form, with the country that its field shows. */
export type ResolvedValues = ContactValues & { country: Country | null }

const orNull = (text: string | null | undefined): string | null =>
  text === undefined || text === null || text.trim() === '' ? null : text

const languageOf = (given: string | null) => LANGUAGES.find((one) => one === given) ?? null

/** Returns the form's values for a contact; null is a new one. */
export function toValues(contact: ContactView | null): ContactValues {
  return {
    name: contact?.name ?? '',
    phone: contact?.phone ?? contact?.rawPhone ?? '',
    // A raw number that is stored already gets a country only if the member chooses one now.
    country: hasRawPhone(contact) ? null : 'company',
    email: contact?.email ?? '',
    language: contact?.language ?? null,
    tags: contact?.tags ?? [],
    fields: contact?.fields ?? {},
  }
}

const hasRawPhone = (contact: ContactView | null) =>
  contact !== null && contact.phone === null && contact.rawPhone !== null

/** Converts the form's values to the API's input for a new contact; empty texts become null. */
export function toNewContact(values: ResolvedValues) {
  const { name, phone, country, email, language, tags, fields } = values
  const given = Object.entries(fields)
    .map(([key, value]) => [key, orNull(value)] as const)
    .filter(([, value]) => value !== null)
  return {
    name: orNull(name),
    email: orNull(email),
    language: languageOf(language),
    phone: orNull(phone),
    country,
    tags,
    fields: Object.fromEntries(given),
  }
}

/**
 * Returns what the member has changed since the form was opened, so that saving does not undo other changes to the
 * contact.
 */
export function toChanges(before: ContactView, values: ResolvedValues) {
  const was = toValues(before)
  const { name, phone, country, email, language, tags, fields } = values
  const isPhoneSaid = phone !== was.phone || (hasRawPhone(before) && country !== null)
  const changed = Object.entries(fields).filter(
    ([key, value]) => orNull(value) !== (before.fields[key] ?? null),
  )
  return {
    ...(name !== was.name && { name: orNull(name) }),
    ...(isPhoneSaid && { phone: orNull(phone), country }),
    ...(email !== was.email && { email: orNull(email) }),
    ...(language !== was.language && { language: languageOf(language) }),
    addTags: tags.filter((tag) => !before.tags.includes(tag)),
    removeTags: before.tags.filter((tag) => !tags.includes(tag)),
    fields: Object.fromEntries(changed.map(([key, value]) => [key, orNull(value)])),
  }
}
