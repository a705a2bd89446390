import type { Kysely } from 'kysely'
import type { Actor } from '../../accounts/actor.ts'
import { setReminderFlow } from '../../appointments/plan-reminders.sql.ts'
import { viewServices } from '../../appointments/services.ts'
import { loadPlan } from '../../accounts/load-plan.ts'
import { lockCompany } from '../../accounts/lock-company.ts'
import { auditedTransaction } from '../../accounts/audited-transaction.ts'
import type { TemplateComponent } from '../../channels/outbound.ts'
import type { Context } from '../../../infra/context.ts'
import type { FormatFact } from '../../../contract/dashboard/localized-fact.ts'
import type {
  DraftCheck,
  PublishedFlow,
  PublishProblem,
  LocalizedProblem,
} from '../../../contract/dashboard/flow.ts'
import type { FlowDraft } from '../../../contract/flow-definition.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { fact } from '../../../core/facts/fact.ts'
import { ServiceError, type FieldError } from '../../../core/service-error.ts'
import type { Plan } from '../../../core/vocabulary/accounts.ts'
import type { ChannelType } from '../../../core/vocabulary/channels.ts'
import { loadDraft } from './load-draft.ts'
import { loadActiveFlows } from './load-running-flows.ts'
import { lockFlow, type OwnedFlow } from './lock-flow.ts'
import { canBePublished, checkForPublishing, type PublishContext } from './publish-check.ts'
import { loadOtherTriggers, storeTriggers } from './store-triggers.ts'
import { TRIGGERS } from '../../../flow-kinds/triggers/triggers.ts'
import { showFlow } from './view-flow.ts'

/** Returns the problems of the draft, and whether it can be published. @throws not_found; conflict without a draft */
export async function checkDraft(
  { db, formatFact }: Pick<Context, 'db'> & { formatFact: FormatFact },
  actor: Actor,
  owned: OwnedFlow,
): Promise<DraftCheck> {
  const flow = await showFlow(db.kysely, actor, owned)
  if (!flow.draft) throw noDraft()
  const context = await loadContext(db.kysely, {
    ...owned,
    plan: await loadPlan(db.kysely, actor.accountId),
    isOn: flow.isOn,
    draft: flow.draft.definition,
  })
  const problems = checkForPublishing(flow.draft.definition, context)
  return {
    canBePublished: canBePublished(problems),
    problems: problems.map(formattedBy(formatFact)),
  }
}

/**
 * Publishes the draft, which never changes from then on. New runs start on it; active runs stay on their version. The
 * hooks of every node use it from the commit on.
 *
 * @throws not_found; conflict without a draft; invalid with every problem, its step and rule.
 * Spec: Flows › Publishing; Hooks › Setting up.
 */
export async function publishFlow(
  { db, ids, clock, formatFact }: Context & { formatFact: FormatFact },
  actor: Actor,
  owned: OwnedFlow,
): Promise<PublishedFlow> {
  const { companyId, flowId } = owned
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const { plan } = await lockCompany(tx, actor, companyId)
    const flow = await lockFlow(tx, owned)
    const draft = await loadDraft(tx, owned)
    if (!draft) throw noDraft()
    await lockChannel(tx, companyId, draft.id)
    await lockFiles(tx, companyId)
    const problems = checkForPublishing(
      draft.definition,
      await loadContext(tx, { ...owned, plan, isOn: flow.isOn, draft: draft.definition }),
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
    await storeTriggers(tx, owned, draft)
    const { trigger } = draft.definition
    const minutesBefore = TRIGGERS[trigger.kind].remindsBeforeMin?.(trigger) ?? null
    await setReminderFlow(tx, now, { ...owned, minutesBefore })
    await audit('flow.published', { id: flowId, companyId }, { version: draft.number })
    return {
      flow: await showFlow(tx, actor, owned),
      warnings: problems.map(formattedBy(formatFact)),
    }
  })
}

/** Locks the draft's channel against deletion between the check and the commit. */
async function lockChannel(tx: Kysely<DB>, companyId: string, versionId: string): Promise<void> {
  await tx
    .selectFrom('channel')
    .innerJoin('flowVersion', 'flowVersion.channelId', 'channel.id')
    .select('channel.id')
    .where('flowVersion.id', '=', versionId)
    .where('channel.companyId', '=', companyId)
    .forShare('channel')
    .execute()
}

/** Locks files against deletion; one whose deletion is in progress is missing at the check. */
async function lockFiles(tx: Kysely<DB>, companyId: string): Promise<void> {
  await tx
    .selectFrom('file')
    .select('id')
    .where('companyId', '=', companyId)
    .where('purpose', '=', 'flow')
    .where('state', '=', 'kept')
    .orderBy('id')
    .forShare()
    .execute()
}

async function loadContext(
  db: Kysely<DB>,
  at: OwnedFlow & { plan: Plan; isOn: boolean; draft: FlowDraft },
): Promise<PublishContext> {
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
  const flowsOn = await loadActiveFlows(db, companyId)
  const company = await db
    .selectFrom('company')
    .select(['accountId', 'openingHours'])
    .where('id', '=', companyId)
    .executeTakeFirstOrThrow()
  const members = await db
    .selectFrom('member')
    .select('personId')
    .where('accountId', '=', company.accountId)
    .execute()
  const files = await db
    .selectFrom('file')
    .select(['id', 'mediaType', 'size'])
    .where('companyId', '=', companyId)
    .where('purpose', '=', 'flow')
    .where('state', '=', 'kept')
    .execute()
  const fields = await db
    .selectFrom('contactField')
    .select('key')
    .where('companyId', '=', companyId)
    .where('archivedAt', 'is', null)
    .execute()
  const services = await viewServices(db, companyId)
  return {
    connections,
    memberIds: members.map(({ personId }) => personId),
    fieldKeys: fields.map(({ key }) => key),
    hasOpeningHours: company.openingHours !== null,
    services: services.map(({ id, canBeBooked, needs }) => {
      return { id, canBeBooked, resourceIds: needs.map(({ resourceId }) => resourceId) }
    }),
    files: files.map(({ id, mediaType, size }) => ({ id, mediaType: mediaType!, size: size! })),
    otherTriggers: channel ? await loadOtherTriggers(db, { flowId, channelId }) : [],
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
  return new ServiceError('conflict', fact('no_draft'))
}

function formattedBy(formatFact: FormatFact) {
  return (problem: PublishProblem): LocalizedProblem =>
    Object.assign(problem, { text: formatFact(problem).text })
}

function notPublished(problems: readonly PublishProblem[]): ServiceError {
  return new ServiceError('invalid', fact('draft_not_publishable'), {
    errors: problems
      .filter((problem) => !problem.isWarning)
      .map(({ field, code, params }) => ({ field, code, params }) as FieldError),
  })
}
