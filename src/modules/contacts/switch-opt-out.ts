import { fact } from '../../core/facts/fact.ts'
import type { Actor } from '../accounts/actor.ts'
import { loadCompany } from '../accounts/load-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { ContactView, OptIn } from '../../contract/dashboard/contact.ts'
import { cancelReplies } from '../messaging/cancel-replies.sql.ts'
import { wakeRuns } from '../flows/runs/wake-runs.ts'
import { editContacts } from '../messaging/edit-contacts.ts'
import type { OptOutDecision } from '../messaging/plan-edit.ts'
import { noSuchContact, type OwnedContact } from './require-contact.ts'
import { readArchivedKeys, viewContact } from './view-contact.ts'

/**
 * Opts a contact out on a member's decision, with the effects of a STOP: started runs end, others are skipped. Does
 * nothing and raises no event if it is opted out already. @throws not_found
 * Spec: Flows › Opt-out; Contacts › Opt-out.
 */
export function optOutContact(
  context: Context,
  actor: Actor,
  owned: OwnedContact,
): Promise<ContactView> {
  return changeByMember(context, actor, owned, { optedOut: true })
}

/** Opts a contact in again on a member's decision, with a reason. @throws not_found */
export function optInContact(
  context: Context,
  actor: Actor,
  { reason, ...owned }: OwnedContact & OptIn,
): Promise<ContactView> {
  return changeByMember(context, actor, owned, { optedOut: false, reason })
}

function changeByMember(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, contactId }: OwnedContact,
  change: Pick<OptOutDecision, 'optedOut' | 'reason'>,
): Promise<ContactView> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const { id, name } = await loadCompany(tx, actor, companyId)
    const optOut = { ...change, at: now, how: 'member', actorId: actor.personId } as const
    const edited = await editContacts(tx, { ids, now }, [
      { company: { id, name }, contactId, optOut },
    ])
    const one = edited.get(contactId)
    if (!one) throw noSuchContact()
    if ((one.before.optedOutAt === null) !== (one.contact.optedOutAt === null)) {
      if (change.optedOut) {
        const of = { contactIds: [contactId] }
        await wakeRuns(tx, now, of)
        await cancelReplies(tx, now, of, fact('reply_customer_stopped'))
      }
      const subject = { id: contactId, companyId }
      if (change.optedOut) await audit('contact.opted_out', subject)
      else await audit('contact.opted_in', subject, { reason: change.reason })
    }
    return viewContact(one.contact, await readArchivedKeys(tx, companyId))
  })
}
