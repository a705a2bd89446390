import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { recordAudit } from './record-audit.ts'

/** A person to be created as the Owner of an account; `accountName` names a new account. */
export type Owner = {
  personId: string
  accountId: string
  email: string
  name: string
  passwordHash: string
  accountName: string
}

/**
 * Creates an account on the Business plan, its company and its Owner, and records that in its audit.
 * @throws conflict when a person has the e-mail address
 */
export async function makeAccount(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  owner: Owner,
): Promise<void> {
  const { accountId, personId, accountName } = owner
  await tx
    .insertInto('account')
    .values({ id: accountId, name: accountName, plan: 'business', createdAt: now })
    .execute()
  await tx
    .insertInto('company')
    .values({ id: ids.uuid(), accountId, name: accountName, createdAt: now })
    .execute()
  await makeOwner(tx, { ids, now }, owner)
  await recordAudit(
    tx,
    { ids, now },
    { actor: { accountId, personId }, action: 'account.created', id: accountId },
  )
}

/**
 * Creates a person as the Owner of an existing account.
 * @throws conflict when a person has the e-mail address
 */
export async function makeOwner(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  { personId, accountId, email, name, passwordHash }: Owner,
): Promise<void> {
  const made = await tx
    .insertInto('person')
    .values({ id: personId, email, name, passwordHash, createdAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (made.numInsertedOrUpdatedRows === 0n) {
    throw new ServiceError('conflict', fact('email_known', { email }))
  }
  await tx
    .insertInto('member')
    .values({ id: ids.uuid(), accountId, personId, role: 'owner', createdAt: now })
    .execute()
}

/** Returns whether the installation has a person who can sign in. The demonstration's Owner does not count. */
export async function hasPerson(tx: Transaction<DB>): Promise<boolean> {
  const someone = await tx
    .selectFrom('person')
    .select('id')
    .where('isDemonstration', '=', false)
    .limit(1)
    .executeTakeFirst()
  return someone !== undefined
}

/**
 * Makes the person the Owner of all accounts without a member who can sign in, such as the demonstration's. An account
 * that has moved to another installation stays without one.
 */
export async function assignOwnerlessAccounts(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  personId: string,
): Promise<void> {
  const accounts = await tx
    .selectFrom('account')
    .select('id')
    .where((where) => where.or([where('hold', 'is', null), where('hold', '!=', 'moved')]))
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('member')
            .innerJoin('person', 'person.id', 'member.personId')
            .select('member.id')
            .whereRef('member.accountId', '=', 'account.id')
            .where('person.isDemonstration', '=', false),
        ),
      ),
    )
    .execute()
  for (const { id } of accounts) {
    await tx
      .insertInto('member')
      .values({ id: ids.uuid(), accountId: id, personId, role: 'owner', createdAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
