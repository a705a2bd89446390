import { sql, type Kysely, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'
import { plainRecoveryCode, findTimeStep } from './totp.ts'

/** The kind of a used code: a code of the app, or a recovery code. */
export type UsedCode = 'app' | 'recovery'

type Factor = { id: string; personId: string; secret: string }

/**
 * Decrypts the secret from which a person's second-factor codes are computed.
 * @throws SecretUnreadable
 */
export function readSecret(keyRing: KeyRing, { id, personId, secret }: Factor): string {
  const keyContext = { table: 'second_factor', column: 'secret', rowId: id, personId }
  return keyRing.decrypt(secret, keyContext)
}

/** Returns whether a sign-in of the person requires a code. */
export async function hasSecondFactor(db: Kysely<DB>, personId: string): Promise<boolean> {
  const factor = await db
    .selectFrom('secondFactor')
    .select('id')
    .where('personId', '=', personId)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirst()
  return factor !== undefined
}

/**
 * Uses a code of the person's app, or a recovery code: each is valid once. Returns null for a wrong or used code, and
 * for a person without a second factor.
 *
 * Isolation: the last used step is compared and written in one statement, and a recovery code is deleted, so that the
 * second of two concurrent uses finds the code used.
 */
export async function useCode(
  tx: Transaction<DB>,
  { keyRing, now }: { keyRing: KeyRing; now: Date },
  { personId, code }: { personId: string; code: string },
): Promise<UsedCode | null> {
  const factor = await tx
    .selectFrom('secondFactor')
    .select(['id', 'personId', 'secret'])
    .where('personId', '=', personId)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirst()
  if (!factor) return null
  const step = findTimeStep(readSecret(keyRing, factor), code, now)
  if (step !== null) {
    const used = await sql`update second_factor set used_step = ${step}
      where id = ${factor.id} and coalesce(used_step, -1) < ${step}`.execute(tx)
    return used.numAffectedRows === 1n ? 'app' : null
  }
  const used = await tx
    .deleteFrom('recoveryCode')
    .where('personId', '=', personId)
    .where('codeHash', '=', tokenHash(plainRecoveryCode(code)))
    .executeTakeFirst()
  return used.numDeletedRows === 1n ? 'recovery' : null
}
