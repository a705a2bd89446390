import type { Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { transaction } from '../../infra/database/transaction.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import type { Ids } from '../../core/ids.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'
import { ServiceError } from '../../core/service-error.ts'
import { findDevice } from './trusted-device.ts'
import { recordAudit } from './record-audit.ts'
import { startSession, type Client } from './start-session.ts'
import {
  countFailedSignIn,
  clearFailedSignIns,
  addressCounters,
  codeCounter,
} from './throttle-sign-in.sql.ts'
import { hasSecondFactor, useCode } from './use-code.ts'

/** The outcome of a correct password: a new session, or the token that must be sent with the second factor's code. */
export type SignInOutcome =
  | { token: string; device: string | null; sessionId: string }
  | { secondFactorToken: string; expiresAt: Date }

/**
 * Begins the session of a person whose password was correct, or a pending sign-in where they have a second factor.
 * Also deletes all expired pending sign-ins.
 */
export async function beginSession(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  who: { personId: string; accountId: string; client: Client },
): Promise<SignInOutcome> {
  const { personId, accountId, client } = who
  await tx.deleteFrom('pendingSignIn').where('expiresAt', '<=', now).execute()
  if (!(await hasSecondFactor(tx, personId))) return startSession(tx, { ids, now }, who)
  const secondFactorToken = ids.cellToken(SIGN_IN_LIMITS.tokenBytes)
  const expiresAt = new Date(now.getTime() + SIGN_IN_LIMITS.begunSignInMs)
  await tx
    .insertInto('pendingSignIn')
    .values({
      id: ids.uuid(),
      tokenHash: tokenHash(secondFactorToken),
      personId,
      accountId,
      carrier: client.carrier,
      expiresAt,
    })
    .execute()
  return { secondFactorToken, expiresAt }
}

/**
 * Finishes a sign-in with a code of the app, or a recovery code. A sign-in allows five codes within five minutes. A
 * person has five wrong codes in 15 minutes over all sign-ins; a trusted device of this person has its own five.
 * @throws sign_in_failed for a wrong code, and for a sign-in that was used, has expired or has had its codes;
 * rate_limited
 *
 * Isolation: the person is locked first, as when their password is replaced, which ends pending sign-ins with the old
 * password.
 */
export async function finishSignIn(
  context: Context & { keyRing: KeyRing },
  visitor: Client & { address: string },
  { secondFactorToken, code }: { secondFactorToken: string; code: string },
): Promise<{ token: string; device: string | null }> {
  const { db, ids, clock, keyRing } = context
  const now = clock.now()
  const begun = await countCodeAttempt(context, secondFactorToken, visitor)
  const { personId, accountId } = begun
  const device = await findDevice(db.kysely, { token: visitor.device, now })
  const taken =
    device?.personId === personId
      ? await countFailedSignIn(context, codeCounter({ deviceId: device.id }))
      : await countFailedSignIn(
          context,
          codeCounter({ personId }),
          ...addressCounters(visitor.address),
        )
  return transaction(db, async (tx) => {
    await tx.selectFrom('person').select('id').where('id', '=', personId).forShare().execute()
    const ended = await tx.deleteFrom('pendingSignIn').where('id', '=', begun.id).executeTakeFirst()
    if (ended.numDeletedRows === 0n) throw over()
    const used = await useCode(tx, { keyRing, now }, { personId, code })
    if (!used) {
      const left = SIGN_IN_LIMITS.codesPerSignIn - begun.tries
      throw new ServiceError('sign_in_failed', fact('sign_in_code_wrong', { left }))
    }
    await clearFailedSignIns(tx, taken)
    const {
      token,
      device: newDevice,
      sessionId,
    } = await startSession(tx, { ids, now }, { personId, accountId, client: visitor })
    await recordAudit(
      tx,
      { ids, now },
      {
        actor: { accountId, personId },
        action: 'session.started',
        id: sessionId,
        detail: { secondFactor: used },
      },
    )
    return { token, device: newDevice }
  })
}

/**
 * Counts a code before it is checked, in a separate statement, so that concurrent requests cannot exceed the limit.
 */
async function countCodeAttempt(
  { db, clock }: Context,
  secondFactorToken: string,
  { carrier }: Client,
): Promise<{ id: string; personId: string; accountId: string; tries: number }> {
  return db.kysely
    .updateTable('pendingSignIn')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('tokenHash', '=', tokenHash(secondFactorToken))
    .where('carrier', '=', carrier)
    .where('expiresAt', '>', clock.now())
    .where('tries', '<', SIGN_IN_LIMITS.codesPerSignIn)
    .returning(['id', 'personId', 'accountId', 'tries'])
    .executeTakeFirstOrThrow(() => over())
}

const over = () => new ServiceError('sign_in_failed', fact('sign_in_over'))
