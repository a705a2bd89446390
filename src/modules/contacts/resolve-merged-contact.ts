import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { OwnedContact } from './require-contact.ts'

/**
 * Returns the contact that an id leads to: for a merged contact, the one that it was merged into. Any other id is
 * returned unchanged, without a check that the contact exists.
 */
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
