import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { loadCompany } from '../accounts/load-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { ContactView, MergeContact } from '../../contract/dashboard/contact.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import type { GivenValues, MovedRows } from '../identity/merge-record.sql.ts'
import { unmergeContacts, type StoredMerge } from '../identity/unmerge-contacts.ts'
import type { ContactRow } from '../messaging/contact.ts'
import { ServiceError, wrongField } from '../../core/service-error.ts'
import { lockWholeContacts } from './lock-whole-contacts.ts'
import { markNotSame } from './mark-not-same.ts'
import { requireContact, type OwnedContact } from './require-contact.ts'
import { readArchivedKeys, viewContact } from './view-contact.ts'

type Merged = OwnedContact & MergeContact

/**
 * Undoes a merge: the merged contact is restored with what it had. The two are no longer suggested as duplicates.
 * Returns the restored contact.
 *
 * Isolation: the ids, conversations and row of the remaining contact are locked, as for a merge.
 *
 * @throws not_found; invalid when the other contact is not merged into this one; conflict when this one was erased
 * since
 * Spec: Contacts › Merging.
 */
export async function unmergeContact(
  { db, ids, clock }: Context,
  actor: Actor,
  merged: Merged,
): Promise<ContactView> {
  const { companyId, contactId, fromId } = merged
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const { id, name } = await loadCompany(tx, actor, companyId)
    await requireContact(tx, merged)
    await requireMerge(tx, merged)
    await lockWholeContacts(tx, companyId, [contactId])
    const into = await requireContact(tx, merged)
    const merge = await requireMerge(tx, merged)
    const back = await unmergeContacts(tx, { ids, now }, { id, name }, into, merge)
    await markNotSame(tx, now, actor, { companyId, contactIds: [contactId, fromId] })
    await audit('contact.unmerged', { id: contactId, companyId }, { fromId })
    return viewContact(back, await readArchivedKeys(tx, companyId))
  })
}

async function requireMerge(
  tx: Transaction<DB>,
  { companyId, contactId, fromId }: Merged,
): Promise<StoredMerge> {
  const merge = await tx
    .selectFrom('contactMerge')
    .select(['snapshot', 'given', 'moved', 'mergedAt'])
    .where('companyId', '=', companyId)
    .where('fromId', '=', fromId)
    .where('intoId', '=', contactId)
    .executeTakeFirstOrThrow(() => wrongField('fromId', fact('not_merged_into_this')))
  const { snapshot, given, moved, mergedAt } = merge
  const was = readSnapshot(snapshot)
  if (!was) throw new ServiceError('conflict', fact('merged_contact_erased'))
  return { fromId, snapshot: was, given: given as GivenValues, moved: moved as MovedRows, mergedAt }
}

/** Parses the stored contact of a merge; null when it was erased. */
function readSnapshot(text: string): ContactRow | null {
  const was = JSON.parse(text) as Partial<ContactRow>
  return was.id === undefined ? null : (was as ContactRow)
}
