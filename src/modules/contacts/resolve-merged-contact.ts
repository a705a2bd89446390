import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { OwnedContact } from './require-contact.ts'

/** Returns the contact that an id means now: for a merged contact, the one that it was merged into. */
export async function resolveMergedContact(
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
