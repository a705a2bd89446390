import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { loadCompany } from '../accounts/load-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { MarkNotSame } from '../../contract/dashboard/contact.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { wrongField } from '../../core/service-error.ts'
import { requireContact } from './require-contact.ts'

type Pair = { companyId: string } & MarkNotSame

/**
 * Records a member's decision that two contacts are not one customer: the pair is no longer suggested.
 * @throws not_found; invalid
 * Spec: Contacts › Merging.
 */
export async function declareNotSame(
  { db, ids, clock }: Context,
  actor: Actor,
  pair: Pair,
): Promise<void> {
  const { companyId, contactIds } = pair
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await loadCompany(tx, actor, companyId)
    const [contactId, otherId] = contactIds
    if (contactId === otherId) {
      throw wrongField('contactIds', fact('merge_with_itself'))
    }
    for (const id of contactIds) await requireContact(tx, { companyId, contactId: id })
    await markNotSame(tx, now, actor, pair)
    await audit('contact.not_same', { id: contactId, companyId }, { otherId })
  })
}

/** Stores that two contacts are not one customer. Does nothing if that is stored already. */
export async function markNotSame(
  tx: Transaction<DB>,
  now: Date,
  { personId }: Pick<Actor, 'personId'>,
  { companyId, contactIds }: Pair,
): Promise<void> {
  const [a, b] = contactIds.toSorted() as [string, string]
  await tx
    .insertInto('notSame')
    .values({ companyId, a, b, saidBy: personId, saidAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
