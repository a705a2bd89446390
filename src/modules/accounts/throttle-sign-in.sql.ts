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

/** An attempt that was counted as a failure before its password or code was checked. */
export type CountedAttempt = {
  failureIds: string[]
  /** The key of the first counter: its earlier failures are deleted after a success. */
  key: Buffer
}

/** A key by which failures are counted, and their maximum in 15 minutes. */
export type SignInCounter = { key: Buffer; max: number }

/** Returns the counter of failed sign-ins for an e-mail address, with its limit. */
export const emailCounter = (email: string): SignInCounter => ({
  key: keyOf('email', email.toLowerCase()),
  max: SIGN_IN_LIMITS.failuresPerEmail,
})
/**
 * Returns the counters of failed sign-ins for a client's address and the wider networks in which it may change its
 * address.
 */
export const addressCounters = (address: string): SignInCounter[] =>
  ofNetworks('address', address, SIGN_IN_LIMITS.failuresPerAddress)
/**
 * Returns the counter of wrong passwords in a session that enters the password again: attempts of other clients do not
 * count.
 */
export const sessionCounter = (sessionId: string): SignInCounter => ({
  key: keyOf('session', sessionId),
  max: SIGN_IN_LIMITS.failuresPerSession,
})
/** Returns the counter of failed sign-ins from a trusted browser, with its limit. */
export const deviceCounter = (deviceId: string): SignInCounter => ({
  key: keyOf('device', deviceId),
  max: SIGN_IN_LIMITS.failuresPerDevice,
})

/**
 * Returns the counter of wrong second-factor codes, separate from passwords: by session, by trusted device, or by
 * person.
 */
export const codeCounter = (
  of: { sessionId: string } | { deviceId: string } | { personId: string },
): SignInCounter => ({ key: keyOf('codes', Object.values(of)[0]!), max: SIGN_IN_LIMITS.wrongCodes })
/** Returns the counter of password resets that were requested for an e-mail address, known or not. */
export const resetsOfEmailCounter = (email: string): SignInCounter => ({
  key: keyOf('resets', email.toLowerCase()),
  max: SIGN_IN_LIMITS.resetsPerEmail,
})
/** Returns the counters of password resets that a client's address and its networks requested. */
export const resetsOfAddressCounters = (address: string): SignInCounter[] =>
  ofNetworks('resets-from', address, SIGN_IN_LIMITS.resetsPerAddress)

const ofNetworks = (kind: string, address: string, max: number): SignInCounter[] =>
  networksOf(address).map(({ name, rate }) => ({ key: keyOf(kind, name), max: max * rate }))

/**
 * Counts an attempt as a failure before the password is checked, so that concurrent attempts cannot exceed the limit.
 * `clearFailedSignIns` deletes it when the password was correct.
 *
 * Isolation: read committed; an advisory lock per counted key makes counting and writing atomic for all who count the
 * same key. Keys are locked in the order of their bytes.
 * @throws rate_limited when a key has reached its failures in 15 minutes.
 */
export async function countFailedSignIn(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  first: SignInCounter,
  ...others: SignInCounter[]
): Promise<CountedAttempt> {
  const now = clock.now()
  const since = new Date(now.getTime() - SIGN_IN_LIMITS.failuresWithinMs)
  const ahead = new Date(now.getTime() + CLOCK_SKEW_MS)
  const counted = [first, ...others].toSorted((one, other) => Buffer.compare(one.key, other.key))
  const failureIds = counted.map(() => ids.uuid())
  const waitMs = await transaction(db, async (tx) => {
    await tx.deleteFrom('signInFailure').where('failedAt', '<=', since).execute()
    for (const { key, max } of counted) {
      await sql`select pg_advisory_xact_lock(${key.readBigInt64BE().toString()}::bigint)`.execute(
        tx,
      )
      const failures = await tx
        .selectFrom('signInFailure')
        .select('failedAt')
        .where('throttleKey', '=', key)
        .where('failedAt', '>', since)
        // Later times are from before the clock was set back.
        .where('failedAt', '<=', ahead)
        .orderBy('failedAt', 'desc')
        .limit(max)
        .execute()
      // An attempt is possible again when the oldest of the last failures expires.
      const oldest = failures.at(-1)
      if (failures.length === max && oldest) {
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
 * Deletes the failure that was counted for a successful attempt, and the earlier ones of its key. Earlier failures of
 * an unverified address stay: otherwise a person who registered it could guess its owner's password for ever.
 */
export async function clearFailedSignIns(
  tx: Transaction<DB>,
  { failureIds, key }: CountedAttempt,
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

/** Deletes a counted failure again, for a password that was not checked after all. The earlier ones stay. */
export async function uncountFailedSignIn(
  { db }: Pick<Context, 'db'>,
  { failureIds }: CountedAttempt,
): Promise<void> {
  await db.kysely.deleteFrom('signInFailure').where('id', 'in', failureIds).execute()
}

/** Deletes the failed sign-ins of an e-mail address, as when it gets a new password. */
export async function forgetFailures(tx: Transaction<DB>, email: string): Promise<void> {
  await tx.deleteFrom('signInFailure').where('throttleKey', '=', emailCounter(email).key).execute()
}

function keyOf(kind: string, text: string): Buffer {
  return createHash('sha256').update(`${kind}:${text}`).digest()
}
