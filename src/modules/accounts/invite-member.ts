import { pageOf } from '../../infra/database/page-of.ts'
import type { Context } from '../../infra/context.ts'
import type {
  InvitationView,
  InviteMember,
  NewInvitation,
} from '../../contract/dashboard/member.ts'
import { toPage, type Page, type PageQuery } from '../../contract/dashboard/page.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Role } from '../../core/vocabulary/accounts.ts'
import type { Actor } from './actor.ts'
import { lockAccount, requireAuthorityOver } from './change-member.ts'
import { invitationMail } from '../../i18n/invitation-words.ts'
import { zoneOfAccount } from './account-zone.ts'
import { loadAccount } from './load-account.ts'
import { auditedTransaction } from './audited-transaction.ts'
import { consumeRateLimit } from './consume-rate-limit.sql.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'

/** Sends an e-mail to the operator's mail server, or throws. */
export type SendMail = (mail: {
  id: string
  to: readonly string[]
  subject: string
  text: string
}) => Promise<unknown>

/**
 * Invites an e-mail address for 7 days; a second invitation of the same address replaces the first. With a mail
 * server the token is sent to that address alone. Without one it is returned here, once, for the member to pass on;
 * accepting it does not verify the address.
 * @throws forbidden when an Admin invites an Owner, or replaces an Owner's invitation to that role; conflict for an
 * existing member; rate_limited after 10 mailed in a minute; provider_failed when the e-mail could not be sent, and
 * then there is no invitation.
 */
export async function inviteMember(
  context: Context & { sendMail: SendMail | null; publicUrl(): string },
  actor: Actor,
  { email, role }: InviteMember,
): Promise<NewInvitation> {
  const { db, ids, clock, log, sendMail } = context
  requireAuthorityOver(actor, role)
  const now = clock.now()
  const token = ids.cellToken(SIGN_IN_LIMITS.tokenBytes)
  const invitation = {
    id: ids.uuid(),
    email,
    role,
    isMailed: sendMail !== null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + SIGN_IN_LIMITS.invitationMs),
  }
  const { accountId } = actor
  if (sendMail) await consumeRateLimit(db.kysely, { accountId, what: 'invitations', now })
  await writeInvitation(context, actor, invitation, token)
  if (!sendMail) return { invitation: viewInvitation(invitation), token }
  const account = await loadAccount(db.kysely, actor)
  const mail = invitationMail({
    accountName: account.name,
    inviterName: actor.name,
    role,
    expiresAt: invitation.expiresAt,
    timeZone: await zoneOfAccount(db.kysely, actor),
    // The token is in the fragment, so that no server on the way logs it.
    link: `${context.publicUrl()}/invitation#${token}`,
    token,
  })
  try {
    await sendMail({ id: invitation.id, to: [email], ...mail })
  } catch (error) {
    log.warn(
      { invitationId: invitation.id, reason: (error as Error).message },
      'invitation e-mail failed: invitation withdrawn',
    )
    await withdrawInvitation(context, actor, { invitationId: invitation.id })
    throw new ServiceError('provider_failed', fact('invitation_not_mailed'), { cause: error })
  }
  return { invitation: viewInvitation(invitation), token: null }
}

async function writeInvitation(
  { db, ids, clock }: Context,
  actor: Actor,
  invitation: Invited,
  token: string,
): Promise<void> {
  const { email, role } = invitation
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    await lockAccount(tx, actor)
    const member = await tx
      .selectFrom('member')
      .innerJoin('person', 'person.id', 'member.personId')
      .select('member.id')
      .where('member.accountId', '=', actor.accountId)
      .where((where) =>
        where(where.fn<string>('lower', ['person.email']), '=', email.toLowerCase()),
      )
      .executeTakeFirst()
    if (member) throw new ServiceError('conflict', fact('already_member'))
    const replaced = await tx
      .deleteFrom('invitation')
      .where('accountId', '=', actor.accountId)
      .where((where) => where(where.fn<string>('lower', ['email']), '=', email.toLowerCase()))
      .returning('role')
      .executeTakeFirst()
    if (replaced) requireAuthorityOver(actor, replaced.role)
    await tx
      .insertInto('invitation')
      .values({
        ...invitation,
        tokenHash: tokenHash(token),
        accountId: actor.accountId,
        invitedBy: actor.personId,
      })
      .execute()
    await audit('invitation.created', { id: invitation.id }, { email, role })
  })
}

/** Returns the invitations that can still be accepted, newest first. */
export async function listInvitations(
  { db, clock }: Context,
  actor: Actor,
  { limit, cursor }: PageQuery,
): Promise<Page<InvitationView>> {
  const rows = await pageOf(
    db.kysely
      .selectFrom('invitation')
      .select(['id', 'email', 'role', 'isMailed', 'createdAt', 'expiresAt'])
      .where('accountId', '=', actor.accountId)
      .where('expiresAt', '>', clock.now()),
    { limit, cursor },
    ['id', 'newest'],
  ).execute()
  return toPage(rows, limit, viewInvitation)
}

/** Withdraws an invitation. @throws not_found; forbidden when an Admin withdraws an Owner's. */
export async function withdrawInvitation(
  { db, ids, clock }: Context,
  actor: Actor,
  { invitationId }: { invitationId: string },
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    const invitation = await tx
      .deleteFrom('invitation')
      .where('id', '=', invitationId)
      .where('accountId', '=', actor.accountId)
      .returning(['email', 'role'])
      .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_invitation')))
    requireAuthorityOver(actor, invitation.role)
    await audit('invitation.withdrawn', { id: invitationId }, invitation)
  })
}

type Invited = {
  id: string
  email: string
  role: string
  isMailed: boolean
  createdAt: Date
  expiresAt: Date
}

function viewInvitation({ id, email, role, isMailed, ...times }: Invited): InvitationView {
  return {
    id,
    email,
    role: role as Role,
    isMailed,
    createdAt: times.createdAt.toISOString(),
    expiresAt: times.expiresAt.toISOString(),
  }
}
