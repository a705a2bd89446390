import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { loadCompany } from '../accounts/load-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { ContactView } from '../../contract/dashboard/contact.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { dropFilesOfContacts } from '../files/drop-files.ts'
import { cancelRuns } from '../flows/runs/cancel-runs.sql.ts'
import { rememberOptOut } from '../identity/opt-out-memory.sql.ts'
import { readIdentifiers } from '../identity/read-identifiers.sql.ts'
import { cancelReplies } from '../messaging/cancel-replies.sql.ts'
import { editContacts } from '../messaging/edit-contacts.ts'
import { eraseContactData } from './erase-contact-data.sql.ts'
import { lockWholeContacts } from './lock-whole-contacts.ts'
import { requireContact, type OwnedContact } from './require-contact.ts'
import { readArchivedKeys, viewContact } from './view-contact.ts'

/**
 * Erases a contact permanently, on a member's request: its values, the text and files of its messages, and the data
 * of its runs. Rows stay, so that counts stay. Its runs end silently. An opt-out is kept as hashes of the contact's
 * ids, and applies to a new contact with one of them.
 *
 * Isolation: the contact's ids are locked, then its conversations, its row and its runs: a concurrent message with
 * one of the ids is either earlier, and erased too, or later, from a new contact.
 *
 * @throws not_found
 * Spec: Contacts › Erasing.
 */
export async function eraseContact(
  { db, ids, clock }: Context,
  actor: Actor,
  owned: OwnedContact,
): Promise<ContactView> {
  const { companyId, contactId } = owned
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const { id, name } = await loadCompany(tx, actor, companyId)
    const { contact, identifiers, conversationIds } = await lock(tx, owned)
    const optOut = contact.optedOutAt && (contact.optOutWordAt ?? contact.optedOutAt)
    await rememberOptOut(tx, { ids }, companyId, identifiers, optOut)
    await cancelRuns(tx, now, { conversationIds }, fact('run_contact_erased'))
    await cancelReplies(tx, now, { conversationIds }, fact('reply_contact_erased'))
    await dropFilesOfContacts(tx, now, { companyId, contactIds: [contactId] })
    await eraseContactData(tx, now, { ...owned, conversationIds })
    const edited = await editContacts(tx, { ids, now }, [
      {
        company: { id, name },
        contactId,
        name: null,
        phone: null,
        rawPhone: null,
        whatsappId: null,
        email: null,
        language: null,
        removeTags: contact.tags,
        fields: Object.fromEntries(Object.keys(contact.fields).map((key) => [key, null])),
      },
    ])
    await audit('contact.erased', { id: contactId, companyId })
    return viewContact(edited.get(contactId)!.contact, await readArchivedKeys(tx, companyId))
  })
}

async function lock(tx: Transaction<DB>, owned: OwnedContact) {
  const { companyId, contactId } = owned
  const conversationIds = await lockWholeContacts(tx, companyId, [contactId])
  // Read again: a concurrent transaction may have added an id.
  const identifiers = await readIdentifiers(tx, companyId, [contactId])
  return { contact: await requireContact(tx, owned), identifiers, conversationIds }
}
