import type { Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import type { Ids } from '../ids.ts'
import type { ContactRow } from './contact.ts'
import { updateContact } from './find-contact.ts'

/**
 * Opts a contact out or in. Out raises `contact.opted_out` once, in raises `contact.updated` with
 * `optedOut` false; a contact that already is so stays as it is and raises nothing.
 *
 * Spec: States › Contact opt-out.
 */
export async function changeOptOut(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  company: { id: string; name: string | null },
  contact: ContactRow,
  optedOut: boolean,
): Promise<ContactRow> {
  if (optedOut === (contact.optedOutAt !== null)) return contact
  return updateContact(tx, deps, company, contact, { optedOutAt: optedOut ? deps.now : null })
}
