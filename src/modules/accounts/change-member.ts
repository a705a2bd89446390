/**
 * Members of an account and their roles. An account always keeps an Owner, and an Admin has no authority over Owners.
 * Every change holds the account's lock, so that two Owners cannot leave concurrently.
 */
import { sql, type Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { ChangeRole, MemberView } from '../../contract/dashboard/member.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { ROLES, type Role } from '../../core/vocabulary/accounts.ts'
import type { Actor } from './actor.ts'
import { selectMembers, viewMember } from './list-members.ts'
import { auditedTransaction, type Audit } from './audited-transaction.ts'

/**
 * Changes the role of a member. Their sessions in this account end, because a token belongs to the role it was issued
 * for, and their invitations to a higher role are withdrawn.
 * @throws not_found; forbidden for an Admin and an Owner; conflict for the last Owner.
 */
export async function changeRole(
  { db, ids, clock }: Context,
  actor: Actor,
  { memberId, role }: ChangeRole & { memberId: string },
): Promise<MemberView> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    const member = await lockMember(tx, actor, memberId)
    if (member.role === role) return viewMember(member)
    requireAuthorityOver(actor, role)
    if (member.role === 'owner') await requireAnotherOwner(tx, actor, memberId)
    await tx.updateTable('member').set({ role }).where('id', '=', memberId).execute()
    await endSessionsHere(tx, actor, member.personId)
    const above = ROLES.slice(0, ROLES.indexOf(role))
    await withdrawInvitations(tx, actor, { ...member, roles: above }, audit)
    await audit(
      'member.role_changed',
      { id: memberId },
      { email: member.email, from: member.role, to: role },
    )
    return viewMember({ ...member, role })
  })
}

/**
 * Removes a person from the account and withdraws their pending invitations, so that neither they nor other people
 * return by one. Their audit entries stay. `whenRemoved` removes them from records of other modules, in the same
 * transaction.
 * @throws not_found; forbidden for an Admin and an Owner; conflict for the last Owner.
 */
export async function removeMember(
  { db, ids, clock }: Context,
  actor: Actor,
  { memberId }: { memberId: string },
  whenRemoved: (tx: Transaction<DB>, personId: string) => Promise<void>,
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    const member = await lockMember(tx, actor, memberId)
    if (member.role === 'owner') await requireAnotherOwner(tx, actor, memberId)
    await tx.deleteFrom('member').where('id', '=', memberId).execute()
    await endSessionsHere(tx, actor, member.personId)
    await deleteCalendarLinks(tx, actor, member.personId)
    await withdrawInvitations(tx, actor, { ...member, roles: ROLES }, audit)
    await whenRemoved(tx, member.personId)
    await audit('member.removed', { id: memberId }, { email: member.email, role: member.role })
  })
}

/**
 * Checks that the caller may change members with a role.
 * @throws forbidden when an Admin changes a role that only an Owner may change
 */
export function requireAuthorityOver(actor: Actor, role: string): void {
  if (role === 'owner' && actor.role !== 'owner') {
    throw new ServiceError('forbidden', fact('only_owners_over_owners'))
  }
}

/**
 * Locks the account, so that its members are changed one after the other, and checks again that the caller has the role
 * of their session.
 * @throws forbidden
 */
export async function lockAccount(tx: Transaction<DB>, actor: Actor): Promise<void> {
  await tx
    .selectFrom('account')
    .select('id')
    .where('id', '=', actor.accountId)
    .forUpdate()
    .execute()
  const member = await tx
    .selectFrom('member')
    .select('role')
    .where('accountId', '=', actor.accountId)
    .where('personId', '=', actor.personId)
    .executeTakeFirst()
  if (member?.role === actor.role) return
  throw new ServiceError('forbidden', fact('needs_role', { roles: [actor.role] }))
}

async function lockMember(tx: Transaction<DB>, actor: Actor, memberId: string) {
  await lockAccount(tx, actor)
  const member = await selectMembers(tx, actor.accountId)
    .where('member.id', '=', memberId)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_member')))
  requireAuthorityOver(actor, member.role)
  return member
}

async function requireAnotherOwner(
  tx: Transaction<DB>,
  actor: Actor,
  memberId: string,
): Promise<void> {
  const owner: Role = 'owner'
  await tx
    .selectFrom('member')
    .innerJoin('person', 'person.id', 'member.personId')
    .select('member.id')
    .where('member.accountId', '=', actor.accountId)
    .where('member.role', '=', owner)
    .where('member.id', '<>', memberId)
    // Without the demonstration, its Owner cannot sign in.
    .where('person.isDemonstration', '=', false)
    .limit(1)
    .executeTakeFirstOrThrow(() => new ServiceError('conflict', fact('keep_one_owner')))
}

/**
 * Deletes the person's calendar links: after a new invitation, they would otherwise work again for all who know them.
 */
async function deleteCalendarLinks(
  tx: Transaction<DB>,
  { accountId }: Actor,
  personId: string,
): Promise<void> {
  await sql`
    delete from calendar_link where person_id = ${personId}
      and company_id in (select id from company where account_id = ${accountId})`.execute(tx)
}

/** Withdraws the person's invitations to one of the roles. */
async function withdrawInvitations(
  tx: Transaction<DB>,
  { accountId }: Actor,
  { personId, roles }: { personId: string; roles: readonly Role[] },
  audit: Audit,
): Promise<void> {
  if (roles.length === 0) return
  const withdrawn = await tx
    .deleteFrom('invitation')
    .where('accountId', '=', accountId)
    .where('invitedBy', '=', personId)
    .where('role', 'in', roles)
    .returning(['id', 'email', 'role'])
    .execute()
  for (const { id, email, role } of withdrawn) {
    await audit('invitation.withdrawn', { id }, { email, role })
  }
}

async function endSessionsHere(
  tx: Transaction<DB>,
  { accountId }: Actor,
  personId: string,
): Promise<void> {
  await tx
    .deleteFrom('session')
    .where('personId', '=', personId)
    .where('accountId', '=', accountId)
    .execute()
}
