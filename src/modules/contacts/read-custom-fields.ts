import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { readFieldValue, type FieldDesign } from '../../rules/contacts/field-value.ts'
import { wrongFields, type FieldError } from '../../core/service-error.ts'
import type { ContactFieldKind } from '../../core/vocabulary/contacts.ts'
import { fact } from '../../core/facts/fact.ts'

/** Returns the kind and choices of each of the company's unarchived custom fields, by key. */
export async function readFieldDesigns(
  db: Kysely<DB>,
  companyId: string,
): Promise<Map<string, FieldDesign>> {
  const rows = await db
    .selectFrom('contactField')
    .select(['key', 'kind', 'choices'])
    .where('companyId', '=', companyId)
    .where('archivedAt', 'is', null)
    .execute()
  return new Map(
    rows.map(({ key, kind, choices }) => [key, { kind: kind as ContactFieldKind, choices }]),
  )
}

/**
 * Converts values of custom fields to their stored form; an empty value becomes null, which removes it.
 * @param at the name of the object in the request. @throws invalid with all invalid fields.
 */
export function readCustomFields(
  designs: ReadonlyMap<string, FieldDesign>,
  given: Readonly<Record<string, string | null>>,
  at = 'fields',
): Record<string, string | null> {
  const errors: FieldError[] = []
  const fields: Record<string, string | null> = {}
  for (const [key, text] of Object.entries(given)) {
    const field = `${at}.${key}`
    const design = designs.get(key)
    if (!design) {
      errors.push({ field, ...fact('unknown_contact_field', { key }) })
    } else if (text === null || text.trim() === '') {
      fields[key] = null
    } else {
      const read = readFieldValue(text, design)
      if (read.ok) fields[key] = read.value
      else errors.push({ field, ...read.reason })
    }
  }
  if (errors.length > 0) throw wrongFields(errors)
  return fields
}
