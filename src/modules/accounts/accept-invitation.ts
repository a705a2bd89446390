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
import { findPeople } from './find-person.ts'
import { hashPassword } from './password.ts'
import { recordAudit } from './record-audit.ts'
import { checkPassword, requireSamePassword, type Visitor } from './sign-in.ts'
import { beginSession, type PendingSession } from './begin-session.ts'
import { clearFailedSignIns } from './throttle-sign-in.sql.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'

/** What the holder of an invitation's token is invited to. @throws not_found */
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
 * Makes the invited person a member and signs them in. Who is new here chooses a name and a
 * password; who is known already proves it with theirs, and where they have a second factor the session
 * begins with its code. An address is the person's own when the
 * invitation came there by e-mail; else it is believed in this account alone. An invitation is good for
 * one acceptance.
 * @throws not_found; invalid without the name of a new person; sign_in_failed; rate_limited;
 *   conflict where the address is believed in as many accounts alone as a sign-in looks at.
 */
export async function acceptInvitation(
  context: Context,
  visitor: Visitor,
  input: AcceptInvitation,
): Promise<PendingSession> {
  const { db, ids, clock } = context
  const now = clock.now()
  const invitation = await loadInvitation(db.kysely, input.token, now)
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
    if (!invitation.isMailed) await requirePlace(db.kysely, email)
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
      if (!invitation.isMailed) await takePlace(tx, email)
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
        subjectKind: 'member',
        subjectId: memberId,
        detail: { email, role: invitation.role },
      },
    )
    const session = { personId, accountId, client: visitor }
    return beginSession(tx, { ids, now }, session)
  })
}

async function loadInvitation(db: Kysely<DB>, token: string, now: Date) {
  const invitation = await db
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
    ])
    .where('invitation.tokenHash', '=', tokenHash(token))
    .where('invitation.expiresAt', '>', now)
    .executeTakeFirst()
  if (!invitation) throw notFound()
  return invitation
}

/**
 * Who of the people with this address the invitation is for. Where only the link was handed over, an
 * address that is believed in another account alone is nobody's here: whoever typed it there first shall
 * not be let in with their password.
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

/** Who could never sign in again is not made. One place is for whoever proves the address. */
async function requirePlace(db: Kysely<DB>, email: string): Promise<void> {
  const unproved = (await findPeople(db, email)).filter(
    (person) => person.unverifiedInAccountId !== null,
  )
  if (unproved.length < SIGN_IN_LIMITS.peoplePerEmail - 1) return
  throw new ServiceError('conflict', fact('email_in_several_accounts'))
}

/**
 * Isolation: of those who are made with one address each counts after the other has been written; before the password is
 * hashed it was only looked.
 */
async function takePlace(tx: Transaction<DB>, email: string): Promise<void> {
  const name = `people with ${email.toLowerCase()}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
  await requirePlace(tx, email)
}

function notFound(): ServiceError {
  return new ServiceError('not_found', fact('invitation_over'))
}
