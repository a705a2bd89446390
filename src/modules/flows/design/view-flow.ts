import { pageOf } from '../../../infra/database/page-of.ts'
import type { Kysely } from 'kysely'
import { loadPlan } from '../../accounts/load-plan.ts'
import type { Context } from '../../../infra/context.ts'
import type { FlowDetail, FlowVersionView, FlowView } from '../../../contract/dashboard/flow.ts'
import { toPage, type Page, type PageQuery } from '../../../contract/dashboard/page.ts'
import { FlowDraft } from '../../../contract/flow-definition.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { fact } from '../../../core/facts/fact.ts'
import { PLAN_LIMITS } from '../../../core/limits/accounts.ts'
import { ServiceError } from '../../../core/service-error.ts'
import { flowState } from '../../../rules/flows/flow-state.ts'
import type { Plan } from '../../../core/vocabulary/accounts.ts'
import type { TriggerKind } from '../../../core/vocabulary/flows.ts'
import { loadRunningFlows } from './load-running-flows.ts'
import type { OwnedFlow } from './lock-flow.ts'

type Viewer = { accountId: string }
type FlowRow = Awaited<ReturnType<ReturnType<typeof selectFlows>['executeTakeFirstOrThrow']>>

/** Returns a page of the company's flows, oldest first. */
export async function listFlows(
  { db }: Pick<Context, 'db'>,
  { accountId }: Viewer,
  { companyId, limit, cursor }: PageQuery & { companyId: string },
): Promise<Page<FlowView>> {
  const plan = await loadPlan(db.kysely, accountId)
  const running = await loadRunningFlows(db.kysely, companyId, plan)
  const rows = await pageOf(selectFlows(db.kysely, companyId), { limit, cursor }, [
    'flow.id',
    'oldest',
  ]).execute()
  return toPage(rows, limit, (row) => viewFlow(row, running, plan))
}

/** Returns a flow with its published version and its draft. @throws not_found */
export async function showFlow(
  db: Kysely<DB>,
  { accountId }: Viewer,
  { companyId, flowId }: OwnedFlow,
): Promise<FlowDetail> {
  const row = await selectFlows(db, companyId)
    .where('flow.id', '=', flowId)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_flow')))
  const plan = await loadPlan(db, accountId)
  const running = await loadRunningFlows(db, companyId, plan)
  const versions = await db
    .selectFrom('flowVersion')
    .select(['id', 'number', 'publishedAt', 'createdAt', 'definition'])
    .where('companyId', '=', companyId)
    .where('flowId', '=', flowId)
    .where((eb) => eb.or([eb('id', '=', row.publishedVersionId), eb('id', '=', row.draftId)]))
    .execute()
  const viewOf = (id: string | null): FlowVersionView | null => {
    const version = versions.find((one) => one.id === id)
    return version
      ? {
          id: version.id,
          number: version.number,
          publishedAt: version.publishedAt?.toISOString() ?? null,
          createdAt: version.createdAt.toISOString(),
          definition: FlowDraft.parse(JSON.parse(version.definition)),
        }
      : null
  }
  return {
    ...viewFlow(row, running, plan),
    published: viewOf(row.publishedVersionId),
    draft: viewOf(row.draftId),
  }
}

function selectFlows(db: Kysely<DB>, companyId: string) {
  return db
    .selectFrom('flow')
    .leftJoin('flowVersion as published', 'published.id', 'flow.publishedVersionId')
    .leftJoin('flowVersion as draft', (join) =>
      join
        .onRef('draft.flowId', '=', 'flow.id')
        .on('draft.publishedAt', 'is', null)
        .on('draft.number', '=', (eb) =>
          eb
            .selectFrom('flowVersion as last')
            .select((last) => last.fn.max('last.number').as('number'))
            .whereRef('last.flowId', '=', 'flow.id'),
        ),
    )
    .leftJoin('channel', 'channel.id', 'published.channelId')
    .leftJoin('hookUrl', 'hookUrl.flowId', 'flow.id')
    .select([
      'flow.id',
      'flow.name',
      'flow.isOn',
      'flow.publishedVersionId',
      'flow.createdAt',
      'flow.updatedAt',
      'published.number as publishedNumber',
      'published.publishedAt',
      'published.triggerKind as publishedTrigger',
      'published.channelId as publishedChannel',
      'channel.isConnected as isChannelConnected',
      'draft.id as draftId',
      'draft.triggerKind as draftTrigger',
      'draft.channelId as draftChannel',
      'hookUrl.id as hookUrlId',
      'hookUrl.tokenLastFour',
    ])
    .where('flow.companyId', '=', companyId)
    .where('flow.deletedAt', 'is', null)
}

function viewFlow(row: FlowRow, running: ReadonlySet<string>, plan: Plan): FlowView {
  const isPublished = row.publishedVersionId !== null
  return {
    id: row.id,
    name: row.name,
    isOn: row.isOn,
    state: flowState({
      isPublished,
      isOn: row.isOn,
      triggerKind: row.publishedTrigger as TriggerKind | null,
      isChannelConnected: row.isChannelConnected ?? false,
      isWithinPlan: running.has(row.id),
      plan: PLAN_LIMITS[plan],
    }),
    triggerKind: (isPublished ? row.publishedTrigger : row.draftTrigger) as TriggerKind | null,
    channelId: isPublished ? row.publishedChannel : row.draftChannel,
    publishedNumber: row.publishedNumber,
    publishedAt: row.publishedAt?.toISOString() ?? null,
    hasDraft: row.draftId !== null,
    hookUrl: row.hookUrlId ? { id: row.hookUrlId, tokenLastFour: row.tokenLastFour! } : null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
