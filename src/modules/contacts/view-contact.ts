import type { Kysely } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { ContactView } from '../../contract/dashboard/contact.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { ContactRow } from '../messaging/contact.ts'
import type { ContactSource } from '../../core/vocabulary/contacts.ts'
import { requireContact, type OwnedContact } from './require-contact.ts'

/** Returns a contact. @throws not_found */
export async function showContact(
  { db }: Pick<Context, 'db'>,
  owned: OwnedContact,
): Promise<ContactView> {
  const contact = await requireContact(db.kysely, owned)
  return viewContact(contact, await readArchivedKeys(db.kysely, owned.companyId))
}

/** Returns the keys of the company's archived fields, which are not shown. */
export async function readArchivedKeys(
  db: Kysely<DB>,
  companyId: string,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('contactField')
    .select('key')
    .where('companyId', '=', companyId)
    .where('archivedAt', 'is not', null)
    .execute()
  return new Set(rows.map(({ key }) => key))
}

/** Converts a row to the dashboard's view of a contact, without the values of archived fields. */
export function viewContact(row: ContactRow, archivedKeys: ReadonlySet<string>): ContactView {
  const fields = Object.entries(row.fields).filter(([key]) => !archivedKeys.has(key))
  return {
    id: row.id,
    name: row.name,
    phone: row.phone,
    rawPhone: row.rawPhone,
    whatsAppId: row.whatsappId,
    email: row.email,
    language: row.language,
    tags: row.tags,
    fields: Object.fromEntries(fields),
    optedOut: row.optedOutAt !== null,
    optedOutAt: row.optedOutAt?.toISOString() ?? null,
    source: row.source as ContactSource,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
