import type { Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { NewOwner } from '../../contract/dashboard/session.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import type { Ids } from '../../core/ids.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import {
  assignOwnerlessAccounts,
  hasPerson,
  makeAccount,
  makeOwner,
  type Owner,
} from './make-account.ts'
import { hashPassword } from './password.ts'
import { recordAudit } from './record-audit.ts'

/**
 * Creates a person who is an Owner of the account with this id, or of a new account with its company. The first person
 * also gets the accounts without a member, which ends the set-up. Only the operator can do this.
 * @throws conflict when the e-mail address exists already; not_found
 */
export async function createOwner(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  input: NewOwner & { accountId: string | null },
): Promise<{ accountId: string }> {
  const now = clock.now()
  const passwordHash = await hashPassword(input.password)
  const personId = ids.uuid()
  const accountId = input.accountId ?? ids.uuid()
  return transaction(db, async (tx) => {
    const isFirst = !(await hasPerson(tx))
    const owner = { ...input, personId, accountId, passwordHash }
    if (input.accountId === null) await makeAccount(tx, { ids, now }, owner)
    else await joinAccount(tx, { ids, now }, owner)
    if (isFirst) {
      await tx.updateTable('setUp').set({ closedAt: now, personId }).execute()
      await assignOwnerlessAccounts(tx, { ids, now }, personId)
    }
    return { accountId }
  })
}

async function joinAccount(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  owner: Owner,
): Promise<void> {
  const { accountId, personId } = owner
  await tx
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow(
      () => new ServiceError('not_found', fact('no_such_account', { account: accountId })),
    )
  await makeOwner(tx, { ids, now }, owner)
  await recordAudit(
    tx,
    { ids, now },
    {
      actor: { accountId, personId: null },
      action: 'member.added',
      kind: 'person',
      id: personId,
      detail: { role: 'owner' },
    },
  )
}
