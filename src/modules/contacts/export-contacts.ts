import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { ExportContacts } from '../../contract/dashboard/contact-import.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { ContactRow } from '../messaging/contact.ts'
import { requireContactSearch } from '../messaging/find-contacts.sql.ts'
import { CSV_BOM, csvLine } from '../../rules/text/csv-cell.ts'
import { filterConditions } from './filter-conditions.sql.ts'
import { readFieldDesigns } from './read-custom-fields.ts'
import { loadSegment } from './segments.ts'
import { spellingsOf } from './tag-spellings.sql.ts'

const PAGE = 1_000
const COLUMNS = ['id', 'name', 'phone', 'email', 'language', 'tags', 'opted_out', 'created_at']

/**
 * Returns the company's contacts that match the filters as parts of a CSV file, oldest first. Contacts are read page by
 * page, and the export is audited before its first line is read.
 *
 * @throws invalid for a search that is too short; not_found for a deleted segment.
 * Spec: Contacts › Export.
 */
export async function exportContacts(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, ...query }: Filters,
): Promise<AsyncGenerator<string>> {
  const { keys, filters } = await auditedTransaction(
    { db, ids, clock },
    actor,
    async (tx, audit, now) => {
      const found = await buildFilters(tx, now, { companyId, ...query })
      const { q, tag = null, optedOut = null, segmentId = null } = query
      await audit(
        'contacts.exported',
        { kind: 'company', id: companyId, companyId },
        // The search text may be a customer's name.
        { tag, optedOut, segmentId, isSearched: q !== undefined },
      )
      return { keys: [...(await readFieldDesigns(tx, companyId)).keys()], filters: found }
    },
  )
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
      ...filters,
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

type Filters = ExportContacts & { companyId: string }

/** Returns the filters of the contact list as SQL conditions. */
async function buildFilters(
  tx: Transaction<DB>,
  now: Date,
  { companyId, q, tag, optedOut, segmentId }: Filters,
): Promise<RawBuilder<unknown>[]> {
  const filters: RawBuilder<unknown>[] = []
  if (tag !== undefined) filters.push(sql`contact.tags && ${spellingsOf(companyId, tag)}`)
  if (optedOut !== undefined) {
    filters.push(optedOut ? sql`opted_out_at is not null` : sql`opted_out_at is null`)
  }
  if (segmentId !== undefined) {
    const { filter } = await loadSegment(tx, { companyId, segmentId })
    filters.push(...filterConditions(companyId, filter, now))
  }
  if (q === undefined) return filters
  return [...filters, await requireContactSearch(tx, sql`contact.id`, { companyId, text: q })]
}
