import { requireBelowLimit } from '../accounts/require-below-limit.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { Actor } from '../accounts/actor.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { CreateEndpoint, NewEndpoint } from '../../contract/dashboard/endpoint.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import type { AddressGuard } from '../../infra/egress/guarded-addresses.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'
import { createEndpoint } from './create-endpoint.ts'
import { requirePublicUrl } from './require-public-url.ts'
import { showEndpoint } from './view-endpoint.ts'

/** The dependencies of use cases on endpoints. */
export type EndpointDeps = Context & {
  keyRing: KeyRing
  addressGuard: AddressGuard
  formatFact: FormatFact
}

/**
 * Registers an endpoint, by which a merchant's server receives webhooks. Only this response contains its signing
 * secret. The company is locked, so that concurrent requests cannot exceed its limit.
 * @throws not_in_plan, limit_reached; invalid when the URL cannot be used.
 * Spec: Deliveries › Endpoint; Limits › Deliveries.
 */
export async function registerEndpoint(
  { db, ids, clock, keyRing, addressGuard, formatFact }: EndpointDeps,
  actor: Actor,
  { companyId, ...input }: CreateEndpoint & { companyId: string },
): Promise<NewEndpoint> {
  const url = await requirePublicUrl(addressGuard, 'endpoint', input.url)
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const { plan } = await lockCompany(tx, actor, companyId)
    requireWebhooksInPlan(plan)
    await requireBelowLimit(
      tx.selectFrom('endpoint').where('companyId', '=', companyId).where('deletedAt', 'is', null),
      DELIVERY_LIMITS.endpointsPerCompany,
      fact('endpoints_used_up', { max: DELIVERY_LIMITS.endpointsPerCompany }),
    )
    const { endpointId, secret } = await createEndpoint(
      tx,
      { ids, keyRing, now },
      { companyId, ...input, url },
    )
    await audit(
      'endpoint.created',
      { id: endpointId, companyId },
      { name: input.name, url: urlForAudit(url), eventTypes: input.eventTypes },
    )
    const endpoint = await showEndpoint(
      tx,
      { keyRing, clock, formatFact },
      { companyId, endpointId },
    )
    return { endpoint, secret }
  })
}

/** Throws unless the plan has webhooks. @throws not_in_plan */
export function requireWebhooksInPlan(plan: Plan): void {
  if (PLAN_LIMITS[plan].developer) return
  throw new ServiceError('not_in_plan', fact('webhooks_not_in_plan', { plan }))
}

/** Returns a URL for the audit, with `?…` for its query, which may contain a merchant's token. */
export function urlForAudit(url: string): string {
  const [withoutQuery = ''] = url.split('?', 1)
  return withoutQuery.length < url.length ? `${withoutQuery}?…` : url
}
