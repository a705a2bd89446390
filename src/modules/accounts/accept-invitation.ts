import { sql, type Kysely, type Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { OpenInvitationView } from '../../contract/dashboard/member.ts'
import type { AcceptInvitation } from '../../contract/dashboard/session.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError, wrongField } from '../../core/service-error.ts'
import type { Role } from '../../core/vocabulary/accounts.ts'
import { requireWorking } from './account-hold.ts'
import { findPeople } from './find-person.ts'
import { hashPassword } from './password.ts'
import { recordAudit } from './record-audit.ts'
import { checkPassword, requireSamePassword, type SignInClient } from './sign-in.ts'
import { beginSession, type SignInOutcome } from './begin-session.ts'
import { clearFailedSignIns } from './throttle-sign-in.sql.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'

/** Returns the invitation with this token, as the invited person sees it before they accept. @throws not_found */
export async function readInvitation(
  { db, clock }: Context,
  { token }: { token: string },
): Promise<OpenInvitationView> {
  const invitation = await loadInvitation(db.kysely, token, clock.now())
  return {
    email: invitation.email,
    role: invitation.role as Role,
    accountName: invitation.accountName,
    isNewPerson: (await findKnown(db.kysely, invitation)) === undefined,
    expiresAt: invitation.expiresAt.toISOString(),
  }
}

/**
 * Makes the invited person a member and begins their session, pending the code of their second factor if they have
 * one. A new person chooses a name and a password. A known person proves their identity with their password. An address
 * counts as verified when the invitation came by e-mail; otherwise it is valid in this account alone. An invitation
 * can be accepted once.
 * @throws not_found; invalid without the name of a new person; sign_in_failed; rate_limited; conflict where as many
 * accounts have the address unverified as a sign-in checks; AccountOnHold
 */
export async function acceptInvitation(
  context: Context,
  visitor: SignInClient,
  input: AcceptInvitation,
): Promise<SignInOutcome> {
  const { db, ids, clock } = context
  const now = clock.now()
  const invitation = await loadInvitation(db.kysely, input.token, now)
  requireWorking(invitation.hold)
  const { accountId, email } = invitation
  const known = await findKnown(db.kysely, invitation)
  let checked: Awaited<ReturnType<typeof checkPassword>> | null = null
  let passwordHash: string | null = null
  if (known) {
    const who = { email, password: input.password, personId: known.id }
    checked = await checkPassword(context, visitor, who)
  } else {
    if (input.name === undefined) {
      throw wrongField('name', fact('missing'))
    }
    if (!invitation.isMailed) await requireFreeAddress(db.kysely, email)
    passwordHash = await hashPassword(input.password)
  }
  const personId = known?.id ?? ids.uuid()
  return transaction(db, async (tx) => {
    if (checked) await requireSamePassword(tx, checked)
    const used = await tx
      .deleteFrom('invitation')
      .where('id', '=', invitation.id)
      .executeTakeFirst()
    if (used.numDeletedRows === 0n) throw notFound()
    if (checked) await clearFailedSignIns(tx, checked.taken, checked)
    if (!known) {
      if (!invitation.isMailed) await lockAddress(tx, email)
      const made = await tx
        .insertInto('person')
        .values({
          id: personId,
          email,
          name: input.name!,
          passwordHash,
          unverifiedInAccountId: invitation.isMailed ? null : accountId,
          createdAt: now,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (made.numInsertedOrUpdatedRows === 0n) {
        throw new ServiceError('conflict', fact('email_just_used'))
      }
    }
    const memberId = ids.uuid()
    await tx
      .insertInto('member')
      .values({ id: memberId, accountId, personId, role: invitation.role, createdAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await recordAudit(
      tx,
      { ids, now },
      {
        actor: { accountId, personId },
        action: 'invitation.accepted',
        kind: 'member',
        id: memberId,
        detail: { email, role: invitation.role },
      },
    )
    const session = { personId, accountId, client: visitor }
    return beginSession(tx, { ids, now }, session)
  })
}

async function loadInvitation(db: Kysely<DB>, token: string, now: Date) {
  return db
    .selectFrom('invitation')
    .innerJoin('account', 'account.id', 'invitation.accountId')
    .select([
      'invitation.id',
      'invitation.accountId',
      'invitation.email',
      'invitation.role',
      'invitation.isMailed',
      'invitation.expiresAt',
      'account.name as accountName',
      'account.hold',
    ])
    .where('invitation.tokenHash', '=', tokenHash(token))
    .where('invitation.expiresAt', '>', now)
    .executeTakeFirstOrThrow(() => notFound())
}

/**
 * Returns the person with this address who is invited. When only the link was handed over, a person whose address is
 * unverified in another account does not count: otherwise the password of an impostor who entered the address there
 * would be accepted here.
 */
async function findKnown(
  db: Kysely<DB>,
  { email, accountId, isMailed }: { email: string; accountId: string; isMailed: boolean },
): Promise<{ id: string } | undefined> {
  const people = await findPeople(db, email)
  return (
    people.find(({ unverifiedInAccountId }) => unverifiedInAccountId === null) ??
    (isMailed
      ? undefined
      : people.find(({ unverifiedInAccountId }) => unverifiedInAccountId === accountId))
  )
}

/**
 * Refuses a person who could never sign in again because too many people share the address. One place is kept for the
 * person who verifies it.
 */
async function requireFreeAddress(db: Kysely<DB>, email: string): Promise<void> {
  const unproved = (await findPeople(db, email)).filter(
    (person) => person.unverifiedInAccountId !== null,
  )
  if (unproved.length < SIGN_IN_LIMITS.peoplePerEmail - 1) return
  throw new ServiceError('conflict', fact('email_in_several_accounts'))
}

/**
 * Isolation: people with the same address are created one after the other, so that each count includes the earlier
 * ones. The check before the password was hashed took no lock.
 */
async function lockAddress(tx: Transaction<DB>, email: string): Promise<void> {
  const name = `people with ${email.toLowerCase()}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
  await requireFreeAddress(tx, email)
}

function notFound(): ServiceError {
  return new ServiceError('not_found', fact('invitation_over'))
}
