import type { Actor } from '../accounts/actor.ts'
import { recordAudit } from '../accounts/record-audit.ts'
import type { EditEndpoint, EndpointView } from '../contract/dashboard/endpoint.ts'
import { transaction } from '../database/transaction.ts'
import { ServiceError } from '../service-error.ts'
import { lockEndpoint } from './lock-endpoint.ts'
import { urlForAudit, type EndpointDeps } from './register-endpoint.ts'
import { requirePublicUrl } from './require-public-url.ts'
import { requireSubscribable } from './require-subscribable.ts'
import { showEndpoint, type OwnedEndpoint } from './view-endpoint.ts'

/**
 * Changes what is named of an endpoint, on any plan. Another URL is used from the next attempt on;
 * what is pending of a type that is no longer subscribed to is still sent. What does not change is
 * not looked up again, so that an endpoint whose DNS is broken can be renamed.
 *
 * @throws not_found; invalid when the URL cannot be used or nothing causes a type; stale when it is not as it was seen.
 * Spec: Deliveries › Endpoint; reading D3.
 */
export async function editEndpoint(
  { db, ids, clock, keyRing, addressGuard }: EndpointDeps,
  actor: Actor,
  { companyId, endpointId, updatedAt, ...input }: EditEndpoint & OwnedEndpoint,
): Promise<EndpointView> {
  const owned = { companyId, endpointId }
  const before = await showEndpoint(db.kysely, { keyRing, clock }, owned)
  const url =
    input.url === undefined || input.url === before.url
      ? input.url
      : await requirePublicUrl(addressGuard, 'endpoint', input.url)
  const now = clock.now()
  return transaction(db, async (tx) => {
    const current = await lockEndpoint(tx, owned)
    const seenAt = updatedAt === undefined ? null : new Date(updatedAt).getTime()
    if (seenAt !== null && seenAt !== current.updatedAt.getTime()) {
      throw new ServiceError('stale', 'The endpoint was changed meanwhile. Look at it again.')
    }
    if (input.eventTypes) requireSubscribable(input.eventTypes, current.eventTypes)
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
      await tx
        .updateTable('endpoint')
        .set({ ...changes, updatedAt: now })
        .where('id', '=', endpointId)
        .where('companyId', '=', companyId)
        .execute()
      await recordAudit(
        tx,
        { ids, now },
        {
          actor,
          action: 'endpoint.edited',
          subjectKind: 'endpoint',
          subjectId: endpointId,
          companyId,
          detail: changes.url ? { ...changes, url: urlForAudit(changes.url) } : changes,
        },
      )
    }
    return showEndpoint(tx, { keyRing, clock }, owned)
  })
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((type) => other.includes(type))
}
