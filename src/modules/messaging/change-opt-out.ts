import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import type { ContactRow } from './contact.ts'
import { editContacts } from './edit-contacts.ts'
import type { OptOutDecision } from './plan-edit.ts'

/**
 * Opts a contact out or in by a keyword of the customer or an act of staff, at its time. An opt-out raises
 * `contact.opted_out` once; an opt-in raises `contact.updated` with `optedOut` false. A contact that already has the
 * state raises nothing. Returns the contact as it is afterwards.
 *
 * Spec: Flows › Opt-out; reading F15.
 */
export async function changeOptOut(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  company: { id: string; name: string | null },
  { id: contactId }: Pick<ContactRow, 'id'>,
  optOut: OptOutDecision,
): Promise<ContactRow> {
  const edited = await editContacts(tx, deps, [{ company, contactId, optOut }])
  return edited.get(contactId)!.contact
}
