import { pageOf } from '../../infra/database/page-of.ts'
import type { Kysely } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { HookShape, HookUrlView } from '../../contract/dashboard/hook-url.ts'
import { toPage, type Page, type PageQuery } from '../../contract/dashboard/page.ts'
import type { DB } from '../../infra/database/tables.ts'
import { HOOK_LIMITS } from '../../core/limits/hooks.ts'
import { stoppedAtCheck } from '../../rules/hooks/stopped-at-check.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { HookStatus } from '../../core/vocabulary/hooks.ts'

/** The id of a hook URL with the id of its company. */
export type OwnedHookUrl = { companyId: string; hookUrlId: string }

type HookUrlRow = Awaited<ReturnType<ReturnType<typeof selectHookUrls>['executeTakeFirstOrThrow']>>

/** Returns a page of the company's hook URLs, oldest first, with the last four characters of each token. */
export async function listHookUrls(
  { db }: Pick<Context, 'db'>,
  { companyId, limit, cursor }: PageQuery & { companyId: string },
): Promise<Page<HookUrlView>> {
  const rows = await pageOf(selectHookUrls(db.kysely, companyId), { limit, cursor }, [
    'hookUrl.id',
    'oldest',
  ]).execute()
  return toPage(rows, limit, viewHookUrl)
}

/** Returns one hook URL. @throws not_found */
export async function showHookUrl(
  db: Kysely<DB>,
  { companyId, hookUrlId }: OwnedHookUrl,
): Promise<HookUrlView> {
  const row = await selectHookUrls(db, companyId)
    .where('hookUrl.id', '=', hookUrlId)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_hook_url')))
  return viewHookUrl(row)
}

/**
 * Returns the shortened last JSON body that a hook URL received, with the status of its response; null when none has
 * arrived in the last 30 days.
 * @throws not_found
 * Spec: Hooks › Last request.
 */
export async function readShape(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  owned: OwnedHookUrl,
): Promise<HookShape | null> {
  await showHookUrl(db.kysely, owned)
  const row = await db.kysely
    .selectFrom('hookShape')
    .select(['body', 'answerStatus', 'receivedAt'])
    .where('hookUrlId', '=', owned.hookUrlId)
    .where('companyId', '=', owned.companyId)
    .where('receivedAt', '>', new Date(clock.now().getTime() - HOOK_LIMITS.shapeKeptMs))
    .executeTakeFirst()
  return row
    ? {
        body: row.body,
        answerStatus: row.answerStatus as HookStatus,
        stoppedAtCheck: stoppedAtCheck(row.answerStatus as HookStatus),
        receivedAt: row.receivedAt.toISOString(),
      }
    : null
}

function selectHookUrls(db: Kysely<DB>, companyId: string) {
  return db
    .selectFrom('hookUrl')
    .innerJoin('flow', 'flow.id', 'hookUrl.flowId')
    .select([
      'hookUrl.id',
      'hookUrl.flowId',
      'flow.name as flowName',
      'hookUrl.tokenLastFour',
      'hookUrl.createdAt',
      'hookUrl.replacedAt',
    ])
    .where('hookUrl.companyId', '=', companyId)
    .where('flow.deletedAt', 'is', null)
}

function viewHookUrl(row: HookUrlRow): HookUrlView {
  return {
    id: row.id,
    flow: { id: row.flowId, name: row.flowName },
    tokenLastFour: row.tokenLastFour,
    createdAt: row.createdAt.toISOString(),
    replacedAt: row.replacedAt?.toISOString() ?? null,
  }
}
