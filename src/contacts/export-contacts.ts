import { sql } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { memberChange } from '../accounts/member-change.ts'
import type { Context } from '../context.ts'
import type { ExportContacts } from '../contract/dashboard/contact-import.ts'
import type { ContactRow } from '../messaging/contact.ts'
import { CSV_BOM, csvLine } from '../rules/text/csv-cell.ts'
import { readFieldDesigns } from './read-fields.ts'
import { spellingsOf } from './tag-spellings.sql.ts'

const PAGE = 1_000
const COLUMNS = ['id', 'name', 'phone', 'email', 'language', 'tags', 'opted_out', 'created_at']

/**
 * The company's contacts as a CSV file, in the order they were made, a part at a time and never whole in
 * memory. That it was asked for is audited before its first line is read.
 *
 * Spec: Contacts › Export.
 */
export async function exportContacts(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, tag, optedOut }: ExportContacts & { companyId: string },
): Promise<AsyncGenerator<string>> {
  const keys = await memberChange({ db, ids, now: clock.now() }, actor, async (tx, audit) => {
    await audit(
      'contacts.exported',
      { kind: 'company', id: companyId, companyId },
      { tag: tag ?? null, optedOut: optedOut ?? null },
    )
    return [...(await readFieldDesigns(tx, companyId)).keys()]
  })
  return parts()

  async function* parts() {
    yield CSV_BOM + csvLine([...COLUMNS, ...keys.map((key) => `fields.${key}`)])
    let after = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      const rows = await page(after)
      if (rows.length > 0) yield rows.map(lineOf).join('')
      const last = rows.at(-1)
      if (rows.length < PAGE || !last) return
      after = last.id
    }
  }

  async function page(after: string): Promise<ContactRow[]> {
    const conditions = [
      sql`contact.company_id = ${companyId} and contact.id > ${after}`,
      ...(tag === undefined ? [] : [sql`contact.tags && ${spellingsOf(companyId, tag)}`]),
      ...(optedOut === undefined
        ? []
        : [optedOut ? sql`opted_out_at is not null` : sql`opted_out_at is null`]),
    ]
    const { rows } = await sql<ContactRow>`
      select contact.* from contact where ${sql.join(conditions, sql` and `)}
      order by contact.id limit ${PAGE}`.execute(db.kysely)
    return rows
  }

  function lineOf(row: ContactRow): string {
    return csvLine([
      row.id,
      row.name,
      row.phone ?? row.rawPhone,
      row.email,
      row.language,
      row.tags.join('; '),
      row.optedOutAt === null ? 'no' : 'yes',
      row.createdAt.toISOString(),
      ...keys.map((key) => (Object.hasOwn(row.fields, key) ? row.fields[key]! : null)),
    ])
  }
}
