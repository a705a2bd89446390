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
  recordFailedSignIn,
  clearFailedSignIns,
  ofAddress,
  ofCodes,
} from './throttle-sign-in.sql.ts'
import { hasSecondFactor, useCode } from './use-code.ts'

/** A session, or what is still to come for one: the code of the second factor, with this token. */
export type PendingSession =
  | { token: string; device: string | null; sessionId: string }
  | { secondFactorToken: string; expiresAt: Date }

/**
 * Begins the session of a person whose password was just right: at once, or where they have a second factor
 * only with its code. Sign-ins that nobody finished, of anyone, are cleared away.
 */
export async function beginSession(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  who: { personId: string; accountId: string; client: Client },
): Promise<PendingSession> {
  const { personId, accountId, client } = who
  await tx.deleteFrom('pendingSignIn').where('expiresAt', '<=', now).execute()
  if (!(await hasSecondFactor(tx, personId))) return startSession(tx, { ids, now }, who)
  const secondFactorToken = ids.token(SIGN_IN_LIMITS.tokenBytes)
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
 * Finishes a sign-in with a code of the app, or a recovery code. Five codes may be tried, within five
 * minutes; and five wrong ones of a person in 15 minutes, however often they sign in. On a device that the
 * person is known on they are counted by the device.
 *
 * Isolation: the person is locked first, as by whoever replaces their password, which ends what was begun
 * with the old one.
 * @throws sign_in_failed when the code is wrong, or was used, or the sign-in is to begin anew; rate_limited
 */
export async function finishSignIn(
  context: Context & { keyRing: KeyRing },
  visitor: Client & { address: string },
  { secondFactorToken, code }: { secondFactorToken: string; code: string },
): Promise<{ token: string; device: string | null }> {
  const { db, ids, clock, keyRing } = context
  const now = clock.now()
  const begun = await takeTry(context, secondFactorToken, visitor)
  const { personId, accountId } = begun
  const device = await findDevice(db.kysely, { token: visitor.device, now })
  const taken =
    device?.personId === personId
      ? await recordFailedSignIn(context, ofCodes({ deviceId: device.id }))
      : await recordFailedSignIn(context, ofCodes({ personId }), ...ofAddress(visitor.address))
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
        subjectKind: 'session',
        subjectId: sessionId,
        detail: { secondFactor: used },
      },
    )
    return { token, device: newDevice }
  })
}

/** Counts one of its codes, in a statement of its own: many at once cannot slip through. */
async function takeTry(
  { db, clock }: Context,
  secondFactorToken: string,
  { carrier }: Client,
): Promise<{ id: string; personId: string; accountId: string; tries: number }> {
  const begun = await db.kysely
    .updateTable('pendingSignIn')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('tokenHash', '=', tokenHash(secondFactorToken))
    .where('carrier', '=', carrier)
    .where('expiresAt', '>', clock.now())
    .where('tries', '<', SIGN_IN_LIMITS.codesPerSignIn)
    .returning(['id', 'personId', 'accountId', 'tries'])
    .executeTakeFirst()
  if (!begun) throw over()
  return begun
}

const over = () => new ServiceError('sign_in_failed', fact('sign_in_over'))
