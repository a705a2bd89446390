import { pageOf } from '../../../infra/database/page-of.ts'
import type { Context } from '../../../infra/context.ts'
import type { FlowVersionView, ListedVersion } from '../../../contract/dashboard/flow.ts'
import { toPage, type Page, type PageQuery } from '../../../contract/dashboard/page.ts'
import { FlowDraft } from '../../../contract/flow-definition.ts'
import { fact } from '../../../core/facts/fact.ts'
import { ServiceError } from '../../../core/service-error.ts'
import type { OwnedFlow } from './lock-flow.ts'

/** Returns a page of a flow's versions, newest first. @throws not_found */
export async function listVersions(
  { db }: Pick<Context, 'db'>,
  { companyId, flowId, limit, cursor }: PageQuery & OwnedFlow,
): Promise<Page<ListedVersion>> {
  const flow = await db.kysely
    .selectFrom('flow')
    .select('publishedVersionId')
    .where('companyId', '=', companyId)
    .where('id', '=', flowId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_flow')))
  const rows = await pageOf(
    db.kysely
      .selectFrom('flowVersion')
      .select(['id', 'number', 'publishedAt', 'createdAt'])
      .where('companyId', '=', companyId)
      .where('flowId', '=', flowId),
    { limit, cursor },
    ['id', 'newest'],
  ).execute()
  return toPage(rows, limit, (row) => ({
    id: row.id,
    number: row.number,
    publishedAt: row.publishedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    isPublishedNow: row.id === flow.publishedVersionId,
  }))
}

/** Returns one version, also of a deleted flow, whose runs are still shown. @throws not_found */
export async function showVersion(
  { db }: Pick<Context, 'db'>,
  { companyId, flowId, number }: OwnedFlow & { number: number },
): Promise<FlowVersionView> {
  const row = await db.kysely
    .selectFrom('flowVersion')
    .select(['id', 'number', 'publishedAt', 'createdAt', 'definition'])
    .where('companyId', '=', companyId)
    .where('flowId', '=', flowId)
    .where('number', '=', number)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_flow')))
  return {
    id: row.id,
    number: row.number,
    publishedAt: row.publishedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    definition: FlowDraft.parse(JSON.parse(row.definition)),
  }
}
