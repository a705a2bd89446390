import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { CreateHookUrl, NewHookUrl } from '../../contract/dashboard/hook-url.ts'
import type { DB } from '../../infra/database/tables.ts'
import { lockFlow } from '../flows/design/lock-flow.ts'
import type { Ids } from '../../core/ids.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { HOOK_LIMITS } from '../../core/limits/hooks.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'
import { showHookUrl } from './view-hook-url.ts'

type Deps = Context & { publicUrl(): string }

const TOKEN_BYTES = 32

/**
 * Creates the hook URL of a flow. Only this response contains its token. The company is locked, so that concurrent
 * requests cannot exceed its limit.
 *
 * @throws not_in_plan, not_found; conflict when the flow has one; limit_reached.
 * Spec: Hooks › Setting up; Limits › Hooks.
 */
export async function createHookUrl(
  { db, ids, clock, publicUrl }: Deps,
  actor: Actor,
  { companyId, flowId }: CreateHookUrl & { companyId: string },
): Promise<NewHookUrl> {
  const hookUrlId = ids.uuid()
  const { token, columns } = makeHookToken(ids)
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const { plan } = await lockCompany(tx, actor, companyId)
    if (!PLAN_LIMITS[plan].developer) {
      throw new ServiceError('not_in_plan', fact('hook_urls_not_in_plan', { plan }))
    }
    await lockFlow(tx, { companyId, flowId })
    await requireBelowLimit(tx, companyId, flowId)
    await tx
      .insertInto('hookUrl')
      .values({ id: hookUrlId, companyId, flowId, ...columns, createdAt: now })
      .execute()
    await audit('hook_url.created', { id: hookUrlId, companyId }, { flowId })
    const hookUrl = await showHookUrl(tx, { companyId, hookUrlId })
    return { hookUrl, url: hookUrlOf(publicUrl(), token) }
  })
}

/** Returns a new token of a hook URL, with the columns that store it: its hash and its last four characters. */
export function makeHookToken(ids: Ids) {
  const token = `hook_${ids.cellToken(TOKEN_BYTES)}`
  return { token, columns: { tokenHash: tokenHash(token), tokenLastFour: token.slice(-4) } }
}

/** Returns the public URL of a hook. */
export function hookUrlOf(publicUrl: string, token: string): string {
  return `${publicUrl}/hooks/${token}`
}

async function requireBelowLimit(tx: Transaction<DB>, companyId: string, flowId: string) {
  const others = await tx
    .selectFrom('hookUrl')
    .select('flowId')
    .where('companyId', '=', companyId)
    .execute()
  if (others.some((other) => other.flowId === flowId)) {
    throw new ServiceError('conflict', fact('flow_has_hook_url'))
  }
  if (others.length >= HOOK_LIMITS.urlsPerCompany) {
    throw new ServiceError(
      'limit_reached',
      fact('hook_urls_used_up', { max: HOOK_LIMITS.urlsPerCompany }),
    )
  }
}
