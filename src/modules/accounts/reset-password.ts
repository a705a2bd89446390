import type { Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { hashPassword } from './password.ts'
import { findPeople } from './find-person.ts'
import { replacePassword } from './set-password.ts'

/** The size of a generated password, which has 22 characters. */
const PASSWORD_BYTES = 16

/**
 * Gives a person a random password, which is returned here once. All their sessions end, their devices are no longer
 * trusted, and their failed sign-ins are forgotten. The change is audited in every account that they are a member of.
 * Only the operator can do this. `accountId` is needed for an address that is unverified in several accounts.
 * @throws not_found; conflict when people in several accounts have the address unverified
 */
export async function resetPassword(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  { email, accountId }: { email: string; accountId?: string },
): Promise<{ password: string }> {
  const now = clock.now()
  const password = ids.token(PASSWORD_BYTES)
  const passwordHash = await hashPassword(password)
  await transaction(db, async (tx) => {
    const personId = await requirePerson(tx, email, accountId)
    await replacePassword(tx, { ids, now }, { personId, email, passwordHash, actorId: null })
  })
  return { password }
}

/**
 * Returns the id of the single person with an e-mail address, whose sign-in an operator's command changes.
 * @throws not_found; conflict when people in several accounts have the address unverified
 */
export async function requirePerson(
  tx: Transaction<DB>,
  email: string,
  accountId: string | undefined,
): Promise<string> {
  const people = await findPeople(tx, email)
  const found =
    accountId === undefined
      ? people.filter(
          ({ unverifiedInAccountId }) => unverifiedInAccountId === null || people.length === 1,
        )
      : people.filter(({ unverifiedInAccountId }) => unverifiedInAccountId === accountId)
  if (found[0]) return found[0].id
  if (people.length === 0 || accountId !== undefined) {
    throw new ServiceError(
      'not_found',
      fact('email_unknown', { email, account: accountId ?? null }),
    )
  }
  const accounts = people.flatMap(({ unverifiedInAccountId }) => unverifiedInAccountId ?? [])
  throw new ServiceError('conflict', fact('email_believed_in', { email, accounts }))
}
