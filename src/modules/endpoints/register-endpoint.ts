import type { FormatFact } from '../../contract/dashboard/told.ts'
import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { CreateEndpoint, NewEndpoint } from '../../contract/dashboard/endpoint.ts'
import type { DB } from '../../infra/database/tables.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import type { AddressGuard } from '../../infra/egress/guarded-addresses.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'
import { createEndpoint } from './create-endpoint.ts'
import { requirePublicUrl } from './require-public-url.ts'
import { showEndpoint } from './view-endpoint.ts'

export type EndpointDeps = Context & {
  keyRing: KeyRing
  addressGuard: AddressGuard
  tell: FormatFact
}

/**
 * Registers a member's endpoint; its signing secret is in the answer and nowhere else. Members who
 * ask at one moment take turns, so that the company never has more than its number.
 *
 * @throws not_in_plan, limit_reached; invalid when the URL cannot be used.
 * Spec: Deliveries › Endpoint; Limits › Deliveries.
 */
export async function registerEndpoint(
  { db, ids, clock, keyRing, addressGuard, tell }: EndpointDeps,
  actor: Actor,
  { companyId, ...input }: CreateEndpoint & { companyId: string },
): Promise<NewEndpoint> {
  const url = await requirePublicUrl(addressGuard, 'endpoint', input.url)
  const now = clock.now()
  return auditedTransaction({ db, ids, now }, actor, async (tx, audit) => {
    const { plan } = await lockCompany(tx, actor, companyId)
    requireWebhooks(plan)
    await requirePlace(tx, companyId)
    const { endpointId, secret } = await createEndpoint(
      tx,
      { ids, keyRing, now },
      { companyId, ...input, url },
    )
    await audit(
      'endpoint.created',
      { kind: 'endpoint', id: endpointId, companyId },
      { name: input.name, url: urlForAudit(url), eventTypes: input.eventTypes },
    )
    const endpoint = await showEndpoint(tx, { keyRing, clock, tell }, { companyId, endpointId })
    return { endpoint, secret }
  })
}

/** @throws not_in_plan */
export function requireWebhooks(plan: Plan): void {
  if (PLAN_LIMITS[plan].developer) return
  throw new ServiceError('not_in_plan', fact('webhooks_not_in_plan', { plan }))
}

/** Without the query: a merchant may have put a token there. */
export function urlForAudit(url: string): string {
  const [withoutQuery = ''] = url.split('?', 1)
  return withoutQuery.length < url.length ? `${withoutQuery}?…` : url
}

async function requirePlace(tx: Transaction<DB>, companyId: string): Promise<void> {
  const { endpoints } = await tx
    .selectFrom('endpoint')
    .select((eb) => eb.fn.countAll<number>().as('endpoints'))
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (endpoints < DELIVERY_LIMITS.endpointsPerCompany) return
  throw new ServiceError(
    'limit_reached',
    fact('endpoints_used_up', { most: DELIVERY_LIMITS.endpointsPerCompany }),
  )
}
