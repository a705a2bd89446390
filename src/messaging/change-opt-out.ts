import type { Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import type { Ids } from '../ids.ts'
import type { ContactRow } from './contact.ts'
import { updateContact } from './find-contact.ts'

/**
 * Opts a contact out or in by a word or act, of its own time: the newest decides, whether or not it
 * changed anything, and of two at one time the later arrival. One that comes late, older than what was
 * said since, changes nothing. Out raises `contact.opted_out` once, in raises `contact.updated` with
 * `optedOut` false; a contact that already is so raises nothing. Returns the contact as it then is.
 *
 * Spec: Flows › Opt-out; reading F15.
 */
export async function changeOptOut(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  company: { id: string; name: string | null },
  { id }: Pick<ContactRow, 'id'>,
  { optedOut, at }: { optedOut: boolean; at: Date },
): Promise<ContactRow> {
  // Words on two channels of one contact hold different locks of the customer.
  const contact = await tx
    .selectFrom('contact')
    .selectAll()
    .where('id', '=', id)
    .where('companyId', '=', company.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (contact.optOutWordAt && at < contact.optOutWordAt) return contact
  await tx
    .updateTable('contact')
    .set({ optOutWordAt: at })
    .where('id', '=', id)
    .where('companyId', '=', company.id)
    .execute()
  if (optedOut === (contact.optedOutAt !== null)) return contact
  return updateContact(tx, deps, company, contact, { optedOutAt: optedOut ? at : null })
}
