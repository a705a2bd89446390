/**
 * Trusted devices: browsers in which a person has signed in. Wrong passwords in one are counted separately, so that
 * unauthenticated clients that guess passwords for an address lock out each other, and not the person.
 */
import type { Kysely, Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'

/** A trusted browser and its person. */
export type TrustedDevice = { id: string; personId: string }

/** Returns the device with this token, or null. */
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
 * Trusts the browser in which a person has just signed in, for 180 days. Its token is returned here once and replaces
 * the previous one. A person has at most 20 trusted devices; the newest are kept.
 */
export async function trustDevice(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  { personId, replaces }: { personId: string; replaces: string | null },
): Promise<string> {
  const token = ids.cellToken(SIGN_IN_LIMITS.tokenBytes)
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

/** Ends the trust in all devices after a new password, except the one on which it was chosen. */
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
