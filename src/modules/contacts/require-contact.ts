import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import type { ContactRow } from '../messaging/contact.ts'
import { ServiceError } from '../../core/service-error.ts'

/** The id of a contact with the id of its company. */
export type OwnedContact = { companyId: string; contactId: string }

/** Loads a contact of the company. @throws not_found */
export async function requireContact(
  db: Kysely<DB>,
  { companyId, contactId }: OwnedContact,
): Promise<ContactRow> {
  return db
    .selectFrom('contact')
    .selectAll()
    .where('id', '=', contactId)
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow(() => noSuchContact())
}

/** Returns the error `not_found` of a contact. */
export function noSuchContact(): ServiceError {
  return new ServiceError('not_found', fact('no_such_contact'))
}
