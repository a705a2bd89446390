import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { OwnedContact } from './require-contact.ts'

/** The contact that an id leads to: of one that is part of another now, that other. */
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
