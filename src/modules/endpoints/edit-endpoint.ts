import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import { registerChangedEndpoints } from '../../infra/database/after-commit.ts'
import type { EditEndpoint, EndpointView } from '../../contract/dashboard/endpoint.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { lockEndpoint } from './lock-endpoint.ts'
import { urlForAudit, type EndpointDeps } from './register-endpoint.ts'
import { requirePublicUrl } from './require-public-url.ts'
import { showEndpoint, type OwnedEndpoint } from './view-endpoint.ts'

/**
 * Changes the given fields of an endpoint, on any plan. A new URL is used from the next attempt on; pending
 * deliveries of an unsubscribed type are still sent. An unchanged URL is not resolved again, so that an endpoint with
 * broken DNS can be renamed.
 *
 * @throws not_found; invalid when the URL cannot be used or a type is never raised; stale when the endpoint has
 * changed since `updatedAt`.
 * Spec: Deliveries › Endpoint; reading D3.
 */
export async function editEndpoint(
  { db, ids, clock, keyRing, addressGuard, formatFact }: EndpointDeps,
  actor: Actor,
  { companyId, endpointId, updatedAt, ...input }: EditEndpoint & OwnedEndpoint,
): Promise<EndpointView> {
  const owned = { companyId, endpointId }
  const before = await showEndpoint(db.kysely, { keyRing, clock, formatFact }, owned)
  const url =
    input.url === undefined || input.url === before.url
      ? input.url
      : await requirePublicUrl(addressGuard, 'endpoint', input.url)
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const current = await lockEndpoint(tx, owned)
    const seenAt = updatedAt === undefined ? null : new Date(updatedAt).getTime()
    if (seenAt !== null && seenAt !== current.updatedAt.getTime()) {
      throw new ServiceError('stale', fact('endpoint_changed'))
    }
    const changes = {
      ...(input.name !== undefined && input.name !== current.name ? { name: input.name } : {}),
      ...(url !== undefined && url !== current.url ? { url } : {}),
      ...(input.eventTypes !== undefined && !isSame(input.eventTypes, current.eventTypes)
        ? { eventTypes: input.eventTypes }
        : {}),
      ...(input.apiVersion !== undefined && input.apiVersion !== current.apiVersion
        ? { apiVersion: input.apiVersion }
        : {}),
    }
    if (Object.keys(changes).length > 0) {
      registerChangedEndpoints(tx)
      await tx
        .updateTable('endpoint')
        .set({ ...changes, updatedAt: now })
        .where('id', '=', endpointId)
        .where('companyId', '=', companyId)
        .execute()
      await audit(
        'endpoint.edited',
        { id: endpointId, companyId },
        changes.url ? { ...changes, url: urlForAudit(changes.url) } : changes,
      )
    }
    return showEndpoint(tx, { keyRing, clock, formatFact }, owned)
  })
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((type) => b.includes(type))
}
