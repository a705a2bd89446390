import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { OwnedContact } from './require-contact.ts'

/** Returns the contact to which an id resolves: for a merged contact, the one that it was merged into. */
export async function survivorOf(
  db: Kysely<DB>,
  { companyId, contactId }: OwnedContact,
): Promise<OwnedContact> {
  const merged = await db
    .selectFrom('contactMerge')
    .select('intoId')
    .where('fromId', '=', contactId)
    .where('companyId', '=', companyId)
    .executeTakeFirst()
  return { companyId, contactId: merged?.intoId ?? contactId }
}
