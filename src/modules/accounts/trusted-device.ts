/**
 * Browsers that are known: a person has signed in there. Wrong passwords that are typed in one are
 * counted apart, so that a stranger who tries passwords for an address locks out other strangers, not
 * the person at their own desk.
 */
import type { Kysely, Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'

export type TrustedDevice = { id: string; personId: string }

/** The device that bears this token, or null. */
export async function findDevice(
  db: Kysely<DB>,
  { token, now }: { token: string | null; now: Date },
): Promise<TrustedDevice | null> {
  if (token === null) return null
  const device = await db
    .selectFrom('trustedDevice')
    .select(['id', 'personId'])
    .where('tokenHash', '=', tokenHash(token))
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return device ?? null
}

/**
 * Knows the browser in which a person has just signed in, for 180 days. Its token is returned here once
 * and takes the place of the one it had. Of a person's devices the newest 20 are known.
 */
export async function trustDevice(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  { personId, replaces }: { personId: string; replaces: string | null },
): Promise<string> {
  const token = ids.token(SIGN_IN_LIMITS.tokenBytes)
  if (replaces !== null) {
    await tx.deleteFrom('trustedDevice').where('tokenHash', '=', tokenHash(replaces)).execute()
  }
  await tx
    .insertInto('trustedDevice')
    .values({
      id: ids.uuid(),
      tokenHash: tokenHash(token),
      personId,
      knownSince: now,
      expiresAt: new Date(now.getTime() + SIGN_IN_LIMITS.deviceMs),
    })
    .execute()
  const older = tx
    .selectFrom('trustedDevice')
    .select('id')
    .where('personId', '=', personId)
    .orderBy('knownSince', 'desc')
    .orderBy('id', 'desc')
    .offset(SIGN_IN_LIMITS.devicesPerPerson)
  await tx.deleteFrom('trustedDevice').where('id', 'in', older).execute()
  return token
}

/** A new password: no device is known any more, but for the one on which it was chosen. */
export async function forgetDevices(
  tx: Transaction<DB>,
  { personId, but }: { personId: string; but: string | null },
): Promise<void> {
  await tx
    .deleteFrom('trustedDevice')
    .where('personId', '=', personId)
    .$if(but !== null, (remove) => remove.where('tokenHash', '<>', tokenHash(but!)))
    .execute()
}
