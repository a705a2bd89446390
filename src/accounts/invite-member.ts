import type { Context } from '../context.ts'
import type { InvitationView, InviteMember } from '../contract/dashboard/member.ts'
import { toPage, type Page, type PageQuery } from '../contract/dashboard/page.ts'
import { transaction } from '../database/transaction.ts'
import { SIGN_IN_LIMITS } from '../limits.ts'
import { ServiceError } from '../service-error.ts'
import type { Role } from '../vocabulary.ts'
import type { Actor } from './actor.ts'
import { requireSayOver } from './change-member.ts'
import { recordAudit } from './record-audit.ts'
import { tokenHash } from './token-hash.ts'

/**
 * Invites an e-mail address for 7 days. The token is returned here once, to be handed to the invited
 * person; a second invitation of the same address replaces the first.
 * @throws forbidden when an Admin invites an Owner, or somebody whom an Owner invited as one; conflict for someone who is a member already.
 */
export async function inviteMember(
  { db, ids, clock }: Context,
  actor: Actor,
  { email, role }: InviteMember,
): Promise<{ invitation: InvitationView; token: string }> {
  requireSayOver(actor, role)
  const now = clock.now()
  const token = ids.token(SIGN_IN_LIMITS.tokenBytes)
  const invitation = {
    id: ids.uuid(),
    email,
    role,
    createdAt: now,
    expiresAt: new Date(now.getTime() + SIGN_IN_LIMITS.invitationMs),
  }
  return transaction(db, async (tx) => {
    const member = await tx
      .selectFrom('member')
      .innerJoin('person', 'person.id', 'member.personId')
      .select('member.id')
      .where('member.accountId', '=', actor.accountId)
      .where((where) =>
        where(where.fn<string>('lower', ['person.email']), '=', email.toLowerCase()),
      )
      .executeTakeFirst()
    if (member) throw new ServiceError('conflict', 'They are a member of this account already.')
    const replaced = await tx
      .deleteFrom('invitation')
      .where('accountId', '=', actor.accountId)
      .where((where) => where(where.fn<string>('lower', ['email']), '=', email.toLowerCase()))
      .returning('role')
      .executeTakeFirst()
    if (replaced) requireSayOver(actor, replaced.role)
    await tx
      .insertInto('invitation')
      .values({
        ...invitation,
        tokenHash: tokenHash(token),
        accountId: actor.accountId,
        invitedBy: actor.personId,
      })
      .execute()
    await recordAudit(
      tx,
      { ids, now },
      {
        actor,
        action: 'invitation.created',
        subjectKind: 'invitation',
        subjectId: invitation.id,
        detail: { email, role },
      },
    )
    return { invitation: viewInvitation(invitation), token }
  })
}

/** Invitations that can still be accepted, newest first. */
export async function listInvitations(
  { db, clock }: Context,
  actor: Actor,
  { limit, cursor }: PageQuery,
): Promise<Page<InvitationView>> {
  const rows = await db.kysely
    .selectFrom('invitation')
    .select(['id', 'email', 'role', 'createdAt', 'expiresAt'])
    .where('accountId', '=', actor.accountId)
    .where('expiresAt', '>', clock.now())
    .$if(cursor !== undefined, (select) => select.where('id', '<', cursor!))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return toPage(rows, limit, viewInvitation)
}

/** Takes an invitation back. @throws not_found; forbidden when an Admin takes back an Owner's. */
export async function withdrawInvitation(
  { db, ids, clock }: Context,
  actor: Actor,
  { invitationId }: { invitationId: string },
): Promise<void> {
  const now = clock.now()
  await transaction(db, async (tx) => {
    const invitation = await tx
      .deleteFrom('invitation')
      .where('id', '=', invitationId)
      .where('accountId', '=', actor.accountId)
      .returning(['email', 'role'])
      .executeTakeFirst()
    if (!invitation) throw new ServiceError('not_found', 'There is no such invitation.')
    requireSayOver(actor, invitation.role)
    await recordAudit(
      tx,
      { ids, now },
      {
        actor,
        action: 'invitation.withdrawn',
        subjectKind: 'invitation',
        subjectId: invitationId,
        detail: invitation,
      },
    )
  })
}

function viewInvitation(row: {
  id: string
  email: string
  role: string
  createdAt: Date
  expiresAt: Date
}): InvitationView {
  return {
    id: row.id,
    email: row.email,
    role: row.role as Role,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }
}
