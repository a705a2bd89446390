import type { Context } from '../../infra/context.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'
import { findPeople } from './find-person.ts'
import { recordAudit } from './record-audit.ts'

/** A sign-in attempt: an e-mail address with a password, or the code after them. */
export type SignInTried = { email: string } | { secondFactorToken: string }

/**
 * Records a failed sign-in in the audit of every account that it would have opened: time, network address and reason,
 * without the password. An unknown e-mail address has no account to write to.
 */
export async function recordFailedSignIn(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  tried: SignInTried,
  detail: { address: string; reason: string },
): Promise<void> {
  const personIds = await findPersonIds(db.kysely, tried)
  if (personIds.length === 0) return
  await transaction(db, async (tx) => {
    const members = await tx
      .selectFrom('member')
      .select(['accountId', 'personId'])
      .where('personId', 'in', personIds)
      .execute()
    for (const { accountId, personId } of members) {
      await recordAudit(
        tx,
        { ids, now: clock.now() },
        {
          actor: { accountId, personId: null },
          action: 'session.refused',
          kind: 'person',
          id: personId,
          detail,
        },
      )
    }
  })
}

async function findPersonIds(db: Context['db']['kysely'], tried: SignInTried): Promise<string[]> {
  if ('email' in tried) return (await findPeople(db, tried.email)).map(({ id }) => id)
  const begun = await db
    .selectFrom('pendingSignIn')
    .select('personId')
    .where('tokenHash', '=', tokenHash(tried.secondFactorToken))
    .execute()
  return begun.map(({ personId }) => personId)
}
