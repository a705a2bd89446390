import { firstMembership } from './account-zone.ts'
import type { Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { isPassword } from './password.ts'
import { findPeople } from './find-person.ts'
import type { Session } from './load-session.ts'
import { recordAudit } from './record-audit.ts'
import { beginSession, type SignInOutcome } from './begin-session.ts'
import type { Client } from './start-session.ts'
import { findDevice } from './trusted-device.ts'
import {
  countFailedSignIn,
  clearFailedSignIns,
  addressCounters,
  deviceCounter,
  emailCounter,
  sessionCounter,
  uncountFailedSignIn,
  type CountedAttempt,
} from './throttle-sign-in.sql.ts'

/** A client that requests a session, with its network address. */
export type SignInClient = Client & { address: string }

type Person = { id: string; passwordHash: string | null; unverifiedInAccountId: string | null }
type Checked = {
  personId: string
  passwordHash: string | null
  isUnproved: boolean
  taken: CountedAttempt
}

/**
 * Signs a person in, into the account that they have been a member of longest. Where they have a second factor,
 * `finishSignIn` must follow.
 * @throws sign_in_failed for a wrong e-mail or password, without saying which; rate_limited; forbidden for a person
 * who is no longer a member of any account.
 */
export async function signIn(
  context: Context,
  visitor: SignInClient,
  { email, password }: { email: string; password: string },
): Promise<SignInOutcome> {
  const { db, ids, clock } = context
  const person = await checkPassword(context, visitor, { email, password })
  const { personId, taken, isUnproved } = person
  const now = clock.now()
  return transaction(db, async (tx) => {
    await requireSamePassword(tx, person)
    await clearFailedSignIns(tx, taken, { isUnproved })
    const member = await firstMembership(tx, personId)
    if (!member) throw new ServiceError('forbidden', fact('no_membership'))
    const { accountId } = member
    const begun = await beginSession(tx, { ids, now }, { personId, accountId, client: visitor })
    if (!('sessionId' in begun)) return begun
    await recordAudit(
      tx,
      { ids, now },
      { actor: { accountId, personId }, action: 'session.started', id: begun.sessionId },
    )
    return begun
  })
}

/**
 * Returns the person with this e-mail address, or with the given id, whose password it is. The attempt counts as a
 * failure until `clearFailedSignIns`: by the device if the person is trusted on it, else by the e-mail address and
 * the client's network address.
 * @throws sign_in_failed, rate_limited
 */
export async function checkPassword(
  context: Context,
  { address, device: deviceToken }: Pick<SignInClient, 'address' | 'device'>,
  { email, password, personId }: { email: string; password: string; personId?: string },
): Promise<Checked> {
  const { db, clock } = context
  const device = await findDevice(db.kysely, { token: deviceToken, now: clock.now() })
  const people = (await findPeople(db.kysely, email)).filter(
    ({ id }) => personId === undefined || id === personId,
  )
  const [known, others] = [
    people.filter(({ id }) => id === device?.personId),
    people.filter(({ id }) => id !== device?.personId),
  ]
  if (device && known.length > 0) {
    const taken = await countFailedSignIn(context, deviceCounter(device.id))
    const person = await findByPassword(context, taken, known, password)
    if (person) return checked(person, taken)
    if (others.length === 0) throw wrong()
  }
  const taken = await countFailedSignIn(context, emailCounter(email), ...addressCounters(address))
  const person = await findByPassword(context, taken, others, password)
  if (!person) throw wrong()
  return checked(person, taken)
}

/**
 * Checks the password of the signed-in person. Failures count by session only, so that attempts of unauthenticated
 * clients cannot lock a member out.
 * @throws sign_in_failed, rate_limited
 */
export async function checkOwnPassword(
  context: Context,
  { id, actor }: Session,
  password: string,
): Promise<{ taken: CountedAttempt; passwordHash: string | null }> {
  const taken = await countFailedSignIn(context, sessionCounter(id))
  const person = await context.db.kysely
    .selectFrom('person')
    .select(['id', 'passwordHash', 'unverifiedInAccountId'])
    .where('id', '=', actor.personId)
    .executeTakeFirst()
  const found = await findByPassword(context, taken, person ? [person] : [], password)
  if (!found) throw wrong()
  return { taken, passwordHash: found.passwordHash }
}

/**
 * Requires that the password is still the one that was checked: replacing it ends all sessions, and no session may
 * begin with the old one afterwards. Isolation: the person's row is locked first, exclusively for a caller that then
 * replaces the password.
 * @throws sign_in_failed
 */
export async function requireSamePassword(
  tx: Transaction<DB>,
  { personId, passwordHash }: Pick<Checked, 'personId' | 'passwordHash'>,
  { isReplaced = false }: { isReplaced?: boolean } = {},
): Promise<void> {
  await tx
    .selectFrom('person')
    .select('id')
    .where('id', '=', personId)
    .where('passwordHash', '=', passwordHash)
    .$if(isReplaced, (select) => select.forUpdate())
    .$if(!isReplaced, (select) => select.forShare())
    .executeTakeFirstOrThrow(() => wrong())
}

/**
 * Returns the person whose password it is. Computes at least one hash, also for an unknown address, so that the time
 * does not reveal who is a member. Where too many hashes wait and none was computed, the attempt is not counted.
 * @throws service_unavailable
 */
async function findByPassword(
  context: Context,
  taken: CountedAttempt,
  people: readonly Person[],
  password: string,
): Promise<Person | null> {
  let looked = 0
  try {
    if (people.length === 0) await isPassword(null, password)
    for (const person of people) {
      if (await isPassword(person.passwordHash, password)) return person
      looked += 1
    }
    return null
  } catch (error) {
    if (looked === 0) await uncountFailedSignIn(context, taken)
    throw error
  }
}

const checked = (
  { id, passwordHash, unverifiedInAccountId }: Person,
  taken: CountedAttempt,
): Checked => ({ personId: id, passwordHash, isUnproved: unverifiedInAccountId !== null, taken })

const wrong = () => new ServiceError('sign_in_failed', fact('email_or_password_wrong'))
