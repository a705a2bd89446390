/** Templates that a member can send in a conversation, and flows that they can start there. */
import { loadPlan } from '../accounts/load-plan.ts'
import type { Actor } from '../accounts/actor.ts'
import type { Context } from '../../infra/context.ts'
import type { StartableFlow } from '../../contract/dashboard/conversation.ts'
import type { TemplateView } from '../../contract/dashboard/template.ts'
import { loadRunningFlows } from '../flows/design/load-running-flows.ts'
import { listApprovedTemplates } from '../messaging/list-templates.ts'
import type { OwnedConversation } from './lock-conversation.ts'
import { readConversation } from './view-conversations.ts'

type Deps = Pick<Context, 'db'>

/** Returns the approved templates of the conversation's channel, sorted by name. @throws not_found */
export async function listTemplatesToSend(
  { db }: Deps,
  owned: OwnedConversation,
): Promise<{ items: TemplateView[] }> {
  const { channelId } = await readConversation(db.kysely, owned)
  return { items: await listApprovedTemplates({ db }, { companyId: owned.companyId, channelId }) }
}

/**
 * Returns the flows that a member can start in a conversation now, sorted by name: those of its channel that are
 * started manually and are on.
 * @throws not_found
 */
export async function listFlowsToStart(
  { db }: Deps,
  { accountId }: Pick<Actor, 'accountId'>,
  owned: OwnedConversation,
): Promise<{ items: StartableFlow[] }> {
  const { companyId } = owned
  const { channelId } = await readConversation(db.kysely, owned)
  const running = await loadRunningFlows(db.kysely, companyId, await loadPlan(db.kysely, accountId))
  const manual = await db.kysely
    .selectFrom('flow')
    .innerJoin('flowVersion', 'flowVersion.id', 'flow.publishedVersionId')
    .select(['flow.id', 'flow.name'])
    .where('flow.companyId', '=', companyId)
    .where('flow.deletedAt', 'is', null)
    .where('flowVersion.channelId', '=', channelId)
    .where('flowVersion.triggerKind', '=', 'manual')
    .orderBy('flow.name')
    .orderBy('flow.id')
    .execute()
  return { items: manual.filter(({ id }) => running.has(id)) }
}
