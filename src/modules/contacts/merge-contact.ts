import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { loadCompany } from '../accounts/load-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { ContactView, MergeContact } from '../../contract/dashboard/contact.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { stopAutomationsIfOptedOut, mergeContacts } from '../identity/merge-contacts.ts'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import { editContacts } from '../messaging/edit-contacts.ts'
import { wrongField, type ServiceError } from '../../core/service-error.ts'
import { lockWholeContacts } from './lock-whole-contacts.ts'
import { requireContact, type OwnedContact } from './require-contact.ts'
import { readArchivedKeys, viewContact } from './view-contact.ts'

type Pair = { companyId: string; intoId: string; fromId: string }

/**
 * Merges the contact `fromId` into another on a member's decision. The remaining one keeps its values and gets missing
 * ones, the tags of both, and all ids, conversations, runs, leads, broadcast entries and sent templates of the other. It
 * is opted out when either was. One event is raised. The merged id resolves to the remaining contact.
 *
 * Isolation: the ids of both are locked, then their contacts and conversations, against concurrent use of the merged
 * one.
 *
 * @throws not_found; invalid, also when both together have more tags than a contact may have
 * Spec: Contacts › Merging.
 */
export async function mergeContact(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, contactId: intoId, fromId }: OwnedContact & MergeContact,
): Promise<ContactView> {
  const pair = { companyId, intoId, fromId }
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const { name } = await loadCompany(tx, actor, companyId)
    const { into, from } = await lockBoth(tx, pair)
    const change = await mergeContacts(tx, { now }, { companyId, into, from }, actor.personId)
    const edited = await editContacts(tx, { ids, now }, [
      { company: { id: companyId, name }, contactId: intoId, ...change },
    ])
    const { contact, tagsLeftOut } = edited.get(intoId)!
    if (tagsLeftOut.length > 0) throw tooManyTags()
    await stopAutomationsIfOptedOut(tx, now, contact)
    await audit('contact.merged', { id: intoId, companyId }, { fromId })
    return viewContact(contact, await readArchivedKeys(tx, companyId))
  })
}

function tooManyTags(): ServiceError {
  return wrongField('fromId', fact('too_many_tags', { max: CONTACT_LIMITS.tags }))
}

async function lockBoth(tx: Transaction<DB>, pair: Pair) {
  const { companyId, intoId, fromId } = pair
  if (intoId === fromId) {
    throw wrongField('fromId', fact('merge_with_itself'))
  }
  await readBoth(tx, pair)
  await lockWholeContacts(tx, companyId, [intoId, fromId])
  return readBoth(tx, pair)
}

async function readBoth(tx: Transaction<DB>, { companyId, intoId, fromId }: Pair) {
  return {
    into: await requireContact(tx, { companyId, contactId: intoId }),
    from: await requireContact(tx, { companyId, contactId: fromId }),
  }
}
