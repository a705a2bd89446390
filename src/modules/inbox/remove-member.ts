import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { removeMember } from '../accounts/change-member.ts'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { releaseLeads } from '../leads/release-leads.ts'
import { transitionConversations } from '../messaging/transition-conversations.ts'

/**
 * Removes a person from the account, from every open conversation of its companies, and from their open leads. Each
 * conversation raises an event, stays with staff and needs a new assignee.
 * @throws not_found; forbidden for an Admin and an Owner; conflict for the last Owner
 *
 * Spec: readings B6, L5.
 */
export async function removeMemberAndUnassign(
  context: Context,
  actor: Actor,
  { memberId }: { memberId: string },
): Promise<void> {
  const { ids, clock } = context
  const now = clock.now()
  await removeMember(context, actor, { memberId }, async (tx, personId) => {
    const held = await findAssigned(tx, actor, personId)
    const by = { kind: 'member', personId: actor.personId } as const
    const change = { kind: 'assign', assigneeId: null } as const
    await releaseLeads(tx, now, { accountId: actor.accountId, personId })
    await transitionConversations(
      tx,
      { ids, now },
      held.map(({ id, companyId }) => ({ conversationId: id, companyId, by, change })),
    )
  })
}

/** Isolation: locked in the order of the ids, as every change of several conversations is. */
function findAssigned(tx: Transaction<DB>, { accountId }: Actor, personId: string) {
  return tx
    .selectFrom('conversation')
    .innerJoin('company', 'company.id', 'conversation.companyId')
    .select(['conversation.id', 'conversation.companyId'])
    .where('company.accountId', '=', accountId)
    .where('conversation.assigneeId', '=', personId)
    .where('conversation.status', '=', 'open')
    .orderBy('conversation.id')
    .forUpdate('conversation')
    .execute()
}
