import { pageOf } from '../../infra/database/page-of.ts'
import type { Context } from '../../infra/context.ts'
import type { OptOutView } from '../../contract/dashboard/contact.ts'
import { toPage, type Page, type PageQuery } from '../../contract/dashboard/page.ts'
import type { OptOutHow } from '../../core/vocabulary/contacts.ts'
import { requireContact, type OwnedContact } from './require-contact.ts'

/** Returns each opt-out and opt-in of a contact, newest first. @throws not_found */
export async function listOptOuts(
  { db }: Pick<Context, 'db'>,
  { companyId, contactId, limit, cursor }: OwnedContact & PageQuery,
): Promise<Page<OptOutView>> {
  await requireContact(db.kysely, { companyId, contactId })
  const rows = await pageOf(
    db.kysely
      .selectFrom('optOutChange')
      .leftJoin('person', 'person.id', 'optOutChange.actorId')
      .selectAll('optOutChange')
      .select('person.name as personName')
      .where('optOutChange.contactId', '=', contactId)
      .where('optOutChange.companyId', '=', companyId),
    { limit, cursor },
    ['optOutChange.id', 'newest'],
  ).execute()
  return toPage(rows, limit, (row) => ({
    id: row.id,
    optedOut: row.isOptedOut,
    how: row.how as OptOutHow,
    person: row.actorId === null ? null : { id: row.actorId, name: row.personName },
    conversationId: row.conversationId,
    reason: row.reason,
    at: row.at.toISOString(),
  }))
}
