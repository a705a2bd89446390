import type { Context } from '../context.ts'
import { transaction } from '../database/transaction.ts'
import { ServiceError } from '../service-error.ts'
import { isPassword } from './password.ts'
import { recordAudit } from './record-audit.ts'
import { startSession, type Client } from './start-session.ts'
import { countTry, forgiveTry, type SignInTry } from './throttle-sign-in.sql.ts'

/** A client that asks for a session, and where from. */
export type Visitor = Client & { address: string }

/**
 * Signs a person in, into the account that they have been a member of longest.
 * @throws sign_in_failed for a wrong e-mail or password, without saying which; rate_limited;
 *   forbidden for a person who is no longer a member of any account.
 */
export async function signIn(
  context: Context,
  visitor: Visitor,
  { email, password }: { email: string; password: string },
): Promise<{ token: string }> {
  const { db, ids, clock } = context
  const { personId, taken } = await checkPassword(context, visitor, { email, password })
  const now = clock.now()
  return transaction(db, async (tx) => {
    await forgiveTry(tx, taken)
    const member = await tx
      .selectFrom('member')
      .select('accountId')
      .where('personId', '=', personId)
      .orderBy('createdAt')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!member) throw new ServiceError('forbidden', 'You are not a member of any account.')
    const { accountId } = member
    const { token, sessionId } = await startSession(
      tx,
      { ids, now },
      { personId, accountId, client: visitor },
    )
    await recordAudit(
      tx,
      { ids, now },
      {
        actor: { accountId, personId },
        action: 'session.started',
        subjectKind: 'session',
        subjectId: sessionId,
      },
    )
    return { token }
  })
}

/**
 * Whose password it is. The try is counted as a failure until `forgiveTry`.
 * @throws sign_in_failed, rate_limited
 */
export async function checkPassword(
  context: Context,
  { address }: { address: string },
  { email, password }: { email: string; password: string },
): Promise<{ personId: string; taken: SignInTry }> {
  const taken = await countTry(context, { email, address })
  const person = await context.db.kysely
    .selectFrom('person')
    .select(['id', 'passwordHash'])
    .where((where) => where(where.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()
  const isRight = await isPassword(person?.passwordHash ?? null, password)
  if (!person || !isRight) {
    throw new ServiceError('sign_in_failed', 'The e-mail address or the password is wrong.')
  }
  return { personId: person.id, taken }
}
