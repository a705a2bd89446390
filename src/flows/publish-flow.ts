import type { Kysely } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { loadPlan } from '../accounts/load-plan.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { recordAudit } from '../accounts/record-audit.ts'
import type { TemplateComponent } from '../channels/channel-adapter.ts'
import type { Context } from '../context.ts'
import type { DraftCheck, PublishedFlow, PublishProblem } from '../contract/dashboard/flow.ts'
import type { FlowDraft } from '../contract/flow-definition.ts'
import type { DB } from '../database/tables.ts'
import { transaction } from '../database/transaction.ts'
import { ServiceError } from '../service-error.ts'
import type { ChannelType, Plan } from '../vocabulary.ts'
import { loadDraft } from './load-draft.ts'
import { loadFlowsOn } from './load-running-flows.ts'
import { lockFlow, type OwnedFlow } from './lock-flow.ts'
import { canBePublished, checkForPublishing, type PublishSurroundings } from './publish-check.ts'
import { showFlow } from './view-flow.ts'

/** What publishing the draft now would say; changes nothing. @throws not_found; conflict without a draft */
export async function checkDraft(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  owned: OwnedFlow,
): Promise<DraftCheck> {
  const flow = await showFlow(db.kysely, actor, owned)
  if (!flow.draft) throw noDraft()
  const around = await loadSurroundings(db.kysely, {
    ...owned,
    plan: await loadPlan(db.kysely, actor.accountId),
    isOn: flow.isOn,
    draft: flow.draft.definition,
  })
  const problems = checkForPublishing(flow.draft.definition, around)
  return { canBePublished: canBePublished(problems), problems }
}

/**
 * Publishes the draft: from then on it never changes, new runs start on it, and runs under way stay
 * on the version that they began on. The hook of every node knows it as soon as this commits.
 *
 * @throws not_found; conflict without a draft; invalid with every problem, its step and rule.
 * Spec: Flows › Publishing; Hooks › Setting up.
 */
export async function publishFlow(
  { db, ids, clock }: Context,
  actor: Actor,
  owned: OwnedFlow,
): Promise<PublishedFlow> {
  const { companyId, flowId } = owned
  const now = clock.now()
  return transaction(db, async (tx) => {
    const { plan } = await lockCompany(tx, actor, companyId)
    const flow = await lockFlow(tx, owned)
    const draft = await loadDraft(tx, owned)
    if (!draft) throw noDraft()
    await holdChannel(tx, companyId, draft.id)
    const problems = checkForPublishing(
      draft.definition,
      await loadSurroundings(tx, { ...owned, plan, isOn: flow.isOn, draft: draft.definition }),
    )
    if (!canBePublished(problems)) throw notPublished(problems)
    await tx
      .updateTable('flowVersion')
      .set({ publishedAt: now })
      .where('id', '=', draft.id)
      .where('companyId', '=', companyId)
      .execute()
    await tx
      .updateTable('flow')
      .set({
        publishedVersionId: draft.id,
        firstPublishedAt: flow.firstPublishedAt ?? now,
        updatedAt: now,
      })
      .where('id', '=', flowId)
      .where('companyId', '=', companyId)
      .execute()
    await recordAudit(
      tx,
      { ids, now },
      {
        actor,
        action: 'flow.published',
        subjectKind: 'flow',
        subjectId: flowId,
        companyId,
        detail: { version: draft.number },
      },
    )
    return { flow: await showFlow(tx, actor, owned), warnings: problems }
  })
}

/** Keeps the draft's channel from being deleted between the check and the commit. */
async function holdChannel(tx: Kysely<DB>, companyId: string, versionId: string): Promise<void> {
  await tx
    .selectFrom('channel')
    .innerJoin('flowVersion', 'flowVersion.channelId', 'channel.id')
    .select('channel.id')
    .where('flowVersion.id', '=', versionId)
    .where('channel.companyId', '=', companyId)
    .forShare('channel')
    .execute()
}

async function loadSurroundings(
  db: Kysely<DB>,
  at: OwnedFlow & { plan: Plan; isOn: boolean; draft: FlowDraft },
): Promise<PublishSurroundings> {
  const { companyId, flowId, plan, isOn } = at
  const { channelId } = at.draft
  const channel =
    channelId === ''
      ? undefined
      : await db
          .selectFrom('channel')
          .select(['type', 'isConnected'])
          .where('id', '=', channelId)
          .where('companyId', '=', companyId)
          .where('deletedAt', 'is', null)
          .executeTakeFirst()
  const templates = channel
    ? await db
        .selectFrom('template')
        .select(['name', 'language', 'status', 'components'])
        .where('channelId', '=', channelId)
        .where('companyId', '=', companyId)
        .execute()
    : []
  const connections = await db
    .selectFrom('apiConnection')
    .select(['id', 'name', 'isOn'])
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .execute()
  const flowsOn = await loadFlowsOn(db, companyId)
  return {
    connections,
    plan,
    channel: channel ? { ...channel, type: channel.type as ChannelType } : null,
    templates: templates.map(({ components, ...template }) => ({
      ...template,
      components: JSON.parse(components) as TemplateComponent[],
    })),
    otherFlowsOn: isOn ? flowsOn.filter((flow) => flow.id !== flowId).length : null,
  }
}

function noDraft(): ServiceError {
  return new ServiceError('conflict', 'The flow has no draft to publish. Save one first.')
}

function notPublished(problems: readonly PublishProblem[]): ServiceError {
  return new ServiceError('invalid', 'The flow cannot be published as it is.', {
    errors: problems
      .filter((problem) => !problem.isWarning)
      .map(({ stepId, rule, message }) => ({
        field: stepId === null ? '.' : `steps.${stepId}`,
        code: rule,
        message,
      })),
  })
}
