import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { CLOCK_SKEW_MS } from '../../core/limits/units.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { fact } from '../../core/facts/fact.ts'
import { networksOf } from '../../rules/addresses/networks.ts'
import { ServiceError } from '../../core/service-error.ts'

/** One try at a password, counted before it is looked at. */
export type SignInTry = {
  failureIds: string[]
  /** What the person is known by: its earlier failures are forgotten with a right password. */
  key: Buffer
}

/** What wrong passwords are counted by, and how many there may be in 15 minutes. */
export type Counted = { key: Buffer; most: number }

export const ofEmail = (email: string): Counted => ({
  key: keyOf('email', email.toLowerCase()),
  most: SIGN_IN_LIMITS.failuresPerEmail,
})
/** The address of a client, and the wider networks that it may change its address in. */
export const ofAddress = (address: string): Counted[] =>
  ofNetworks('address', address, SIGN_IN_LIMITS.failuresPerAddress)
/** Who is signed in and asked for the password again: nobody else's tries count. */
export const ofSession = (sessionId: string): Counted => ({
  key: keyOf('session', sessionId),
  most: SIGN_IN_LIMITS.failuresPerSession,
})
export const ofDevice = (deviceId: string): Counted => ({
  key: keyOf('device', deviceId),
  most: SIGN_IN_LIMITS.failuresPerDevice,
})

/** Codes of a second factor, apart from passwords: of who is signed in, of a known device, or of a person. */
export const ofCodes = (
  of: { sessionId: string } | { deviceId: string } | { personId: string },
): Counted => ({ key: keyOf('codes', Object.values(of)[0]!), most: SIGN_IN_LIMITS.wrongCodes })
/** Links to choose a new password that are asked for, known addresses or not. */
export const ofResetsOfEmail = (email: string): Counted => ({
  key: keyOf('resets', email.toLowerCase()),
  most: SIGN_IN_LIMITS.resetsPerEmail,
})
export const ofResetsOfAddress = (address: string): Counted[] =>
  ofNetworks('resets-from', address, SIGN_IN_LIMITS.resetsPerAddress)

const ofNetworks = (kind: string, address: string, most: number): Counted[] =>
  networksOf(address).map(({ name, rate }) => ({ key: keyOf(kind, name), most: most * rate }))

/**
 * Counts a try as a failure before the password is looked at, so that many at once cannot slip
 * through; `clearFailedSignIns` takes it back when the password was right.
 *
 * Isolation: read committed; an advisory lock per counted key makes counting and writing one step
 * for everyone who counts the same key. Keys are locked in the order of their bytes.
 * @throws rate_limited when one of what is counted has its failures in 15 minutes.
 */
export async function recordFailedSignIn(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  first: Counted,
  ...others: Counted[]
): Promise<SignInTry> {
  const now = clock.now()
  const since = new Date(now.getTime() - SIGN_IN_LIMITS.failuresWithinMs)
  const ahead = new Date(now.getTime() + CLOCK_SKEW_MS)
  const counted = [first, ...others].toSorted((one, other) => Buffer.compare(one.key, other.key))
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
      fact('too_many_tries', { minutes: Math.ceil(waitMs / 60_000) }),
      { retryAfterMs: waitMs },
    )
  }
  return { key: first.key, failureIds }
}

/**
 * The password was right: the try was no failure, and the earlier ones are forgotten. Not those of an
 * address that nobody has proved: whoever took it could go on guessing its owner's password for ever.
 */
export async function clearFailedSignIns(
  tx: Transaction<DB>,
  { failureIds, key }: SignInTry,
  { isUnproved = false }: { isUnproved?: boolean } = {},
): Promise<void> {
  await tx
    .deleteFrom('signInFailure')
    .where((or) =>
      isUnproved
        ? or('id', 'in', failureIds)
        : or.or([or('id', 'in', failureIds), or('throttleKey', '=', key)]),
    )
    .execute()
}

/** The password was not looked at after all: the try was no failure, and the earlier ones stay. */
export async function takeBackTry(
  { db }: Pick<Context, 'db'>,
  { failureIds }: SignInTry,
): Promise<void> {
  await db.kysely.deleteFrom('signInFailure').where('id', 'in', failureIds).execute()
}

/** Forgets the wrong passwords of an e-mail address, as when it is given a new password. */
export async function forgetFailures(tx: Transaction<DB>, email: string): Promise<void> {
  await tx.deleteFrom('signInFailure').where('throttleKey', '=', ofEmail(email).key).execute()
}

function keyOf(kind: string, text: string): Buffer {
  return createHash('sha256').update(`${kind}:${text}`).digest()
}
