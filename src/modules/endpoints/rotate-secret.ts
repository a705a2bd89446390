import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { EndpointView, NewEndpoint } from '../../contract/dashboard/endpoint.ts'
import { registerChangedEndpoints } from '../../infra/database/after-commit.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { writeSecret } from './create-endpoint.ts'
import { lockEndpoint } from './lock-endpoint.ts'
import type { EndpointDeps } from './register-endpoint.ts'
import { showEndpoint, type OwnedEndpoint } from './view-endpoint.ts'

/**
 * Replaces the signing secret of an endpoint, on any plan. Only this response contains the new one. The previous
 * secret also signs for another 24 hours. An older secret that still signed is wiped immediately, so that rotating
 * twice retires a leaked one.
 * @throws not_found
 *
 * Spec: Deliveries › Secrets.
 */
export async function rotateSecret(
  { db, ids, clock, keyRing, formatFact }: EndpointDeps,
  actor: Actor,
  owned: OwnedEndpoint,
): Promise<NewEndpoint> {
  const { companyId, endpointId } = owned
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await lockCompany(tx, actor, companyId)
    await lockEndpoint(tx, owned)
    registerChangedEndpoints(tx)
    await tx
      .deleteFrom('endpointSecret')
      .where('endpointId', '=', endpointId)
      .where('companyId', '=', companyId)
      .where('signsUntil', 'is not', null)
      .execute()
    await tx
      .updateTable('endpointSecret')
      .set({ signsUntil: new Date(now.getTime() + DELIVERY_LIMITS.secretOverlapMs) })
      .where('endpointId', '=', endpointId)
      .where('companyId', '=', companyId)
      .execute()
    const secret = await writeSecret(tx, { ids, keyRing, now }, owned)
    await audit('endpoint.secret_rotated', { id: endpointId, companyId })
    return { endpoint: await showEndpoint(tx, { keyRing, clock, formatFact }, owned), secret }
  })
}

/**
 * Ends the overlap of a rotation, on any plan: wipes the old secret, which no longer signs from the commit on. Does
 * nothing without an old secret. @throws not_found
 */
export async function retireOldSecret(
  { db, ids, clock, keyRing, formatFact }: EndpointDeps,
  actor: Actor,
  owned: OwnedEndpoint,
): Promise<EndpointView> {
  const { companyId, endpointId } = owned
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    await lockEndpoint(tx, owned)
    registerChangedEndpoints(tx)
    const { numDeletedRows } = await tx
      .deleteFrom('endpointSecret')
      .where('endpointId', '=', endpointId)
      .where('companyId', '=', companyId)
      .where('signsUntil', 'is not', null)
      .executeTakeFirstOrThrow()
    if (numDeletedRows > 0n) {
      await audit('endpoint.old_secret_retired', { id: endpointId, companyId })
    }
    return showEndpoint(tx, { keyRing, clock, formatFact }, owned)
  })
}
