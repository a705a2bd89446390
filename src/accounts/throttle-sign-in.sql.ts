import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Context } from '../context.ts'
import type { DB } from '../database/tables.ts'
import { transaction } from '../database/transaction.ts'
import { CLOCK_SKEW_MS, SIGN_IN_LIMITS } from '../limits.ts'
import { ServiceError } from '../service-error.ts'

/** One try at a password, counted before it is looked at. */
export type SignInTry = { emailKey: Buffer; failureIds: string[] }

/**
 * Counts a try as a failure before the password is looked at, so that many at once cannot slip
 * through; `forgiveTry` takes it back when the password was right.
 *
 * Isolation: read committed; an advisory lock per counted key makes counting and writing one step
 * for everyone who counts the same key. Keys are locked in the order of their bytes.
 * @throws rate_limited after 5 failures for the e-mail or 20 from the address in 15 minutes.
 */
export async function countTry(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  { email, address }: { email: string; address: string },
): Promise<SignInTry> {
  const now = clock.now()
  const since = new Date(now.getTime() - SIGN_IN_LIMITS.failuresWithinMs)
  const ahead = new Date(now.getTime() + CLOCK_SKEW_MS)
  const emailKey = keyOf('email', email.toLowerCase())
  const counted = [
    { key: emailKey, most: SIGN_IN_LIMITS.failuresPerEmail },
    { key: keyOf('address', address), most: SIGN_IN_LIMITS.failuresPerAddress },
  ].toSorted((one, other) => Buffer.compare(one.key, other.key))
  const failureIds = counted.map(() => ids.uuid())
  const waitMs = await transaction(db, async (tx) => {
    await tx.deleteFrom('signInFailure').where('failedAt', '<=', since).execute()
    for (const { key, most } of counted) {
      await sql`select pg_advisory_xact_lock(${key.readBigInt64BE().toString()}::bigint)`.execute(
        tx,
      )
      const failures = await tx
        .selectFrom('signInFailure')
        .select('failedAt')
        .where('throttleKey', '=', key)
        .where('failedAt', '>', since)
        // What lies ahead is from before the clock was put back.
        .where('failedAt', '<=', ahead)
        .orderBy('failedAt', 'desc')
        .limit(most)
        .execute()
      // The try is possible again when the oldest of the last five (or twenty) is forgotten.
      const oldest = failures.at(-1)
      if (failures.length === most && oldest) {
        return oldest.failedAt.getTime() - since.getTime()
      }
    }
    await tx
      .insertInto('signInFailure')
      .values(
        counted.map(({ key }, at) => ({ id: failureIds[at]!, throttleKey: key, failedAt: now })),
      )
      .execute()
    return null
  })
  if (waitMs !== null) {
    throw new ServiceError(
      'rate_limited',
      `Too many wrong passwords. Try again in ${Math.ceil(waitMs / 60_000)} minutes.`,
      { retryAfterMs: waitMs },
    )
  }
  return { emailKey, failureIds }
}

/** The password was right: the try was no failure, and the e-mail's earlier ones are forgotten. */
export async function forgiveTry(tx: Transaction<DB>, taken: SignInTry): Promise<void> {
  await tx
    .deleteFrom('signInFailure')
    .where((or) =>
      or.or([or('id', 'in', taken.failureIds), or('throttleKey', '=', taken.emailKey)]),
    )
    .execute()
}

/** Forgets the wrong passwords of an e-mail address, as when it is given a new password. */
export async function forgetFailures(tx: Transaction<DB>, email: string): Promise<void> {
  await tx
    .deleteFrom('signInFailure')
    .where('throttleKey', '=', keyOf('email', email.toLowerCase()))
    .execute()
}

function keyOf(kind: string, text: string): Buffer {
  return createHash('sha256').update(`${kind}:${text}`).digest()
}
