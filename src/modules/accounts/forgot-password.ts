/**
 * Resets a forgotten password by a link that is mailed to the person's verified address. An unverified address gets
 * no e-mail, because the mailbox may belong to another person.
 */
import type { Kysely } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { OpenPasswordResetView } from '../../contract/dashboard/session.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { passwordResetMail } from '../../i18n/password-reset-words.ts'
import { zoneOfPerson } from './account-zone.ts'
import { replacePassword } from './set-password.ts'
import type { SendMail } from './invite-member.ts'
import { hashPassword } from './password.ts'
import {
  countFailedSignIn,
  resetsOfAddressCounters,
  resetsOfEmailCounter,
} from './throttle-sign-in.sql.ts'

type Mailing = Context & { sendMail: SendMail | null; publicUrl(): string }

/**
 * Counts a request for a link to choose a new password, and returns the work that mails the link after the response;
 * the work never throws. The link is valid once and for half an hour. The response and its timing are the same for an
 * unknown address, because the work looks the person up.
 * @throws not_available without a mail server; rate_limited after 3 for an e-mail address in 15 minutes
 */
export async function requestPasswordReset(
  context: Mailing,
  { email, address }: { email: string; address: string },
): Promise<() => Promise<void>> {
  const { log, sendMail } = context
  if (!sendMail) throw new ServiceError('not_available', fact('password_reset_by_operator'))
  await countFailedSignIn(context, resetsOfEmailCounter(email), ...resetsOfAddressCounters(address))
  return async () => {
    try {
      await mailReset(context, sendMail, email)
    } catch (error) {
      log.warn(
        { reason: (error as Error).message },
        'password reset e-mail failed: link not mailed',
      )
    }
  }
}

async function mailReset(
  { db, ids, clock, publicUrl }: Mailing,
  sendMail: SendMail,
  email: string,
): Promise<void> {
  const now = clock.now()
  const person = await db.kysely
    .selectFrom('person')
    .select(['id', 'email', 'language'])
    .where((where) => where(where.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .where('unverifiedInAccountId', 'is', null)
    .executeTakeFirst()
  if (!person) return
  const token = ids.cellToken(SIGN_IN_LIMITS.tokenBytes)
  const id = ids.uuid()
  const expiresAt = new Date(now.getTime() + SIGN_IN_LIMITS.passwordResetMs)
  const columns = { id, tokenHash: tokenHash(token), expiresAt }
  await db.kysely.deleteFrom('passwordReset').where('expiresAt', '<=', now).execute()
  await db.kysely
    .insertInto('passwordReset')
    .values({ personId: person.id, ...columns })
    .onConflict((conflict) => conflict.column('personId').doUpdateSet(columns))
    .execute()
  const mail = passwordResetMail({
    language: person.language as Language | null,
    expiresAt,
    timeZone: await zoneOfPerson(db.kysely, { personId: person.id }),
    // The token is in the fragment, so that no server on the way logs it.
    link: `${publicUrl()}/new-password#${token}`,
  })
  await sendMail({ id, to: [person.email], ...mail })
}

/**
 * Returns the e-mail address whose password the link resets, and when the link expires. @throws not_found when it was
 * used, replaced or has expired
 */
export async function readPasswordReset(
  { db, clock }: Context,
  { token }: { token: string },
): Promise<OpenPasswordResetView> {
  const { email, expiresAt } = await loadReset(db.kysely, token, clock.now())
  return { email, expiresAt: expiresAt.toISOString() }
}

/**
 * Sets the new password by a link and uses up the link. All sessions of the person end, and they sign in again, with
 * their second factor if they have one.
 * @throws not_found
 */
export async function chooseNewPassword(
  { db, ids, clock }: Context,
  { token, newPassword }: { token: string; newPassword: string },
): Promise<void> {
  const now = clock.now()
  // The link is checked before the password is hashed: a hash is too expensive for unauthenticated requests.
  const { personId, email } = await loadReset(db.kysely, token, now)
  const passwordHash = await hashPassword(newPassword)
  await transaction(db, async (tx) => {
    // The person is locked first, as for every change of a password. The second of two concurrent requests finds the
    // link used.
    await tx.selectFrom('person').select('id').where('id', '=', personId).forUpdate().execute()
    const used = await tx
      .deleteFrom('passwordReset')
      .where('tokenHash', '=', tokenHash(token))
      .executeTakeFirst()
    if (used.numDeletedRows === 0n) throw over()
    await replacePassword(tx, { ids, now }, { personId, email, passwordHash, actorId: personId })
  })
}

async function loadReset(db: Kysely<DB>, token: string, now: Date) {
  return db
    .selectFrom('passwordReset')
    .innerJoin('person', 'person.id', 'passwordReset.personId')
    .select(['passwordReset.personId', 'person.email', 'passwordReset.expiresAt'])
    .where('passwordReset.tokenHash', '=', tokenHash(token))
    .where('passwordReset.expiresAt', '>', now)
    .executeTakeFirstOrThrow(() => over())
}

const over = () => new ServiceError('not_found', fact('password_reset_over'))
