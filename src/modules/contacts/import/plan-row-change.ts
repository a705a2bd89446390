import type { ContactRow } from '../../messaging/contact.ts'
import type { ContactChange } from '../../messaging/plan-edit.ts'
import { isEmailTrusted } from '../../../rules/contacts/email-source.ts'
import type { ImportRow } from '../../../rules/contacts/import-row.ts'
import type { ImportMode } from '../../../core/vocabulary/contacts.ts'

/**
 * Returns what an import row changes of an existing contact: nothing with the mode `skip`, only empty values with `fill`.
 * A number that the contact has already is never replaced. Pure.
 *
 * Spec: Contacts › Import.
 */
export function planRowChange(
  row: ImportRow,
  contact: ContactRow,
  mode: ImportMode,
): ContactChange {
  if (mode === 'skip') return {}
  const isKept = (value: unknown) => mode === 'fill' && value !== null && value !== undefined
  const plain = (['name', 'language'] as const).filter(
    (key) => row[key] !== null && !isKept(contact[key]),
  )
  const fields = Object.entries(row.fields).filter(
    ([key]) => mode !== 'fill' || !Object.hasOwn(contact.fields, key),
  )
  const givesEmail =
    row.email === contact.email ? !isEmailTrusted(contact.emailFrom) : !isKept(contact.email)
  return {
    ...Object.fromEntries(plain.map((key) => [key, row[key]])),
    ...(contact.phone === null && row.phone !== null && { phone: row.phone, rawPhone: null }),
    ...(contact.phone === null &&
      row.rawPhone !== null &&
      !isKept(contact.rawPhone) && { rawPhone: row.rawPhone }),
    ...(row.email !== null && givesEmail && { email: row.email, emailFrom: 'import' }),
    fields: Object.fromEntries(fields),
    addTags: row.tags,
  }
}
