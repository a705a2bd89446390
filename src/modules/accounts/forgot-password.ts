/**
 * A forgotten password, by a link that is mailed to the person's own address. An address that is only
 * believed in one account gets none: the mailbox may be somebody else's.
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
import { replacePassword } from './give-password.ts'
import type { SendMail } from './invite-member.ts'
import { hashPassword } from './password.ts'
import { recordFailedSignIn, ofResetsOfAddress, ofResetsOfEmail } from './throttle-sign-in.sql.ts'

type Mailing = Context & { sendMail: SendMail | null; publicUrl(): string }

/**
 * Mails a link to choose a new password, good for half an hour and once. What is answered, and when, is the
 * same for an address that nobody has: the look-up and the e-mail come after the answer.
 * @returns the work that comes after; it never throws
 * @throws not_available without a mail server; rate_limited after 3 for an e-mail address in 15 minutes
 */
export async function requestPasswordReset(
  context: Mailing,
  { email, address }: { email: string; address: string },
): Promise<() => Promise<void>> {
  const { log, sendMail } = context
  if (!sendMail) throw new ServiceError('not_available', fact('password_reset_by_operator'))
  await recordFailedSignIn(context, ofResetsOfEmail(email), ...ofResetsOfAddress(address))
  return async () => {
    try {
      await mailReset(context, sendMail, email)
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'a link to choose a password was not mailed')
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
  const token = ids.token(SIGN_IN_LIMITS.tokenBytes)
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
    // After the mark: no server on the way writes the token down.
    link: `${publicUrl()}/new-password#${token}`,
  })
  await sendMail({ id, to: [person.email], ...mail })
}

/** Whose password a link is to choose. @throws not_found when it was used, replaced or is over */
export async function readPasswordReset(
  { db, clock }: Context,
  { token }: { token: string },
): Promise<OpenPasswordResetView> {
  const { email, expiresAt } = await loadReset(db.kysely, token, clock.now())
  return { email, expiresAt: expiresAt.toISOString() }
}

/**
 * Chooses the password that the link is for. The link is used by that, all sessions of the person end, and
 * they sign in anew, with their second factor where they have one. @throws not_found
 */
export async function chooseNewPassword(
  { db, ids, clock }: Context,
  { token, newPassword }: { token: string; newPassword: string },
): Promise<void> {
  const now = clock.now()
  // Before the password is hashed, which costs more than it should cost a stranger to ask for.
  const { personId, email } = await loadReset(db.kysely, token, now)
  const passwordHash = await hashPassword(newPassword)
  await transaction(db, async (tx) => {
    // The person first, as wherever a password is written; of two at once, the second finds the link used.
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
  const reset = await db
    .selectFrom('passwordReset')
    .innerJoin('person', 'person.id', 'passwordReset.personId')
    .select(['passwordReset.personId', 'person.email', 'passwordReset.expiresAt'])
    .where('passwordReset.tokenHash', '=', tokenHash(token))
    .where('passwordReset.expiresAt', '>', now)
    .executeTakeFirst()
  if (!reset) throw over()
  return reset
}

const over = () => new ServiceError('not_found', fact('password_reset_over'))
