import { fact } from '../../core/facts/fact.ts'
import { RETENTION } from '../../core/limits/retention.ts'
import { DAY_MS } from '../../core/limits/units.ts'
import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { EndpointView, SwitchedEndpoint } from '../../contract/dashboard/endpoint.ts'
import { registerChangedEndpoints, notifyAfterCommit } from '../../infra/database/after-commit.ts'
import { countHeld } from './endpoint-health.ts'
import { lockEndpoint } from './lock-endpoint.ts'
import { requireWebhooksInPlan, type EndpointDeps } from './register-endpoint.ts'
import { showEndpoint, type OwnedEndpoint } from './view-endpoint.ts'

/**
 * Switches an endpoint on and resets its count of failures. Held deliveries are not sent; the response says how many
 * there are. Does nothing to one that is on. @throws not_found, not_in_plan
 * Spec: States › Endpoint; reading D12.
 */
export async function switchEndpointOn(
  { db, ids, clock, keyRing, formatFact }: EndpointDeps,
  actor: Actor,
  owned: OwnedEndpoint,
): Promise<SwitchedEndpoint> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    requireWebhooksInPlan((await lockCompany(tx, actor, owned.companyId)).plan)
    const before = await lockEndpoint(tx, owned)
    if (!before.isOn) {
      await tx
        .updateTable('endpointHealth')
        .set({ failuresInRow: 0, failingSince: null, warnedAt: null })
        .where('endpointId', '=', owned.endpointId)
        .where('companyId', '=', owned.companyId)
        .execute()
      await tx
        .updateTable('endpoint')
        .set({ isOn: true, offReason: null, offAt: null, updatedAt: now })
        .where('id', '=', owned.endpointId)
        .where('companyId', '=', owned.companyId)
        .execute()
      await audit(
        'endpoint.switched_on',
        { id: owned.endpointId, companyId: owned.companyId },
        { wasOff: before.offReason },
      )
    }
    const held = await countHeld(tx, owned)
    return {
      endpoint: await showEndpoint(tx, { keyRing, clock, formatFact }, owned),
      held,
      message: formatFact(
        held.count === 0
          ? fact('endpoint_on')
          : fact('endpoint_on_with_held', { ...held, days: RETENTION.waitingEventMs / DAY_MS }),
      ),
    }
  })
}

/** Switches an endpoint off, on any plan: its deliveries are held. @throws not_found */
export async function switchEndpointOff(
  { db, ids, clock, keyRing, formatFact }: EndpointDeps,
  actor: Actor,
  owned: OwnedEndpoint,
): Promise<EndpointView> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const before = await lockEndpoint(tx, owned)
    if (before.isOn) {
      // After the commit, a worker moves its waiting deliveries to the state `held`.
      notifyAfterCommit(tx, 'deliveries')
      registerChangedEndpoints(tx)
      await tx
        .updateTable('endpoint')
        .set({ isOn: false, offReason: 'by_member', offAt: now, updatedAt: now })
        .where('id', '=', owned.endpointId)
        .where('companyId', '=', owned.companyId)
        .execute()
      await audit('endpoint.switched_off', { id: owned.endpointId, companyId: owned.companyId })
    }
    return showEndpoint(tx, { keyRing, clock, formatFact }, owned)
  })
}
