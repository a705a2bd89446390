import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'
import type { ResendJobReason } from '../../core/vocabulary/deliveries.ts'

type Owned = { companyId: string; endpointId: string }

/** Loads an endpoint, also a deleted one, with its company's plan; returns undefined for another company's endpoint. */
export async function loadEndpointAndPlan(db: Kysely<DB>, { companyId, endpointId }: Owned) {
  return db
    .selectFrom('endpoint')
    .innerJoin('company', 'company.id', 'endpoint.companyId')
    .innerJoin('account', 'account.id', 'company.accountId')
    .select([
      'endpoint.id',
      'endpoint.name',
      'endpoint.url',
      'endpoint.apiVersion',
      'endpoint.isOn',
      'endpoint.deletedAt',
      'company.name as companyName',
      'account.plan',
    ])
    .where('endpoint.id', '=', endpointId)
    .where('endpoint.companyId', '=', companyId)
    .executeTakeFirst()
}

/** An endpoint with its company's plan. */
export type EndpointAndPlan = NonNullable<Awaited<ReturnType<typeof loadEndpointAndPlan>>>

/** Returns why nothing can be resent to this endpoint now, or null. */
export function whyNoResend(
  endpoint: EndpointAndPlan,
): Exclude<ResendJobReason, 'by_member'> | null {
  if (endpoint.deletedAt !== null) return 'endpoint_deleted'
  if (!PLAN_LIMITS[endpoint.plan as Plan].developer) return 'not_in_plan'
  return endpoint.isOn ? null : 'endpoint_off'
}

/**
 * Returns the endpoint if deliveries can be resent to it.
 * @throws not_found; not_in_plan; conflict when it is deleted or off.
 * Spec: readings D13, N2.
 */
export async function requireLiveEndpoint(db: Kysely<DB>, owned: Owned): Promise<EndpointAndPlan> {
  const endpoint = await loadEndpointAndPlan(db, owned)
  if (!endpoint) throw new ServiceError('not_found', fact('no_such_endpoint'))
  switch (whyNoResend(endpoint)) {
    case null:
      return endpoint
    case 'not_in_plan':
      throw notInPlan(endpoint.plan)
    case 'endpoint_off':
      throw new ServiceError('conflict', fact('endpoint_is_off'))
    case 'endpoint_deleted':
      throw new ServiceError('conflict', fact('endpoint_is_deleted'))
  }
}

/**
 * Returns the endpoint if a test can be sent to it; it may be off. @throws not_found, not_in_plan
 * Spec: Deliveries › Tests and resends.
 */
export async function requireTestableEndpoint(
  db: Kysely<DB>,
  owned: Owned,
): Promise<EndpointAndPlan> {
  const endpoint = await loadEndpointAndPlan(db, owned)
  if (!endpoint || endpoint.deletedAt !== null) {
    throw new ServiceError('not_found', fact('no_such_endpoint'))
  }
  if (!PLAN_LIMITS[endpoint.plan as Plan].developer) throw notInPlan(endpoint.plan)
  return endpoint
}

function notInPlan(plan: string): ServiceError {
  return new ServiceError('not_in_plan', fact('webhooks_not_in_plan', { plan }))
}
