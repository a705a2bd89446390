import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { recordAudit } from '../accounts/record-audit.ts'
import type { EndpointView, SwitchedEndpoint } from '../contract/dashboard/endpoint.ts'
import { transaction } from '../database/transaction.ts'
import { countWaiting } from './endpoint-health.ts'
import { lockEndpoint } from './lock-endpoint.ts'
import { requireWebhooks, type EndpointDeps } from './register-endpoint.ts'
import { showEndpoint, type OwnedEndpoint } from './view-endpoint.ts'

/**
 * Switches an endpoint on: its row of failures begins anew. Nothing that was held is sent by it; the
 * answer says how much waits. One that is on stays as it is. @throws not_found, not_in_plan
 * Spec: States › Endpoint; reading D12.
 */
export async function switchEndpointOn(
  { db, ids, clock, keyRing }: EndpointDeps,
  actor: Actor,
  owned: OwnedEndpoint,
): Promise<SwitchedEndpoint> {
  const now = clock.now()
  return transaction(db, async (tx) => {
    requireWebhooks((await lockCompany(tx, actor, owned.companyId)).plan)
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
      await recordAudit(
        tx,
        { ids, now },
        {
          actor,
          action: 'endpoint.switched_on',
          subjectKind: 'endpoint',
          subjectId: owned.endpointId,
          companyId: owned.companyId,
          detail: { wasOff: before.offReason },
        },
      )
    }
    const held = await countWaiting(tx, owned, 'held')
    const waiting = `${held.count}${held.isMore ? ' or more' : ''}`
    return {
      endpoint: await showEndpoint(tx, { keyRing, clock }, owned),
      held,
      message:
        held.count === 0
          ? 'The endpoint is on. Nothing is held.'
          : `The endpoint is on. Held deliveries: ${waiting}. They are not sent by themselves: send what was held, or let it expire after 7 days.`,
    }
  })
}

/** Switches an endpoint off, on any plan: its deliveries are held. @throws not_found */
export async function switchEndpointOff(
  { db, ids, clock, keyRing }: EndpointDeps,
  actor: Actor,
  owned: OwnedEndpoint,
): Promise<EndpointView> {
  const now = clock.now()
  return transaction(db, async (tx) => {
    const before = await lockEndpoint(tx, owned)
    if (before.isOn) {
      await tx
        .updateTable('endpoint')
        .set({ isOn: false, offReason: 'by_member', offAt: now, updatedAt: now })
        .where('id', '=', owned.endpointId)
        .where('companyId', '=', owned.companyId)
        .execute()
      await recordAudit(
        tx,
        { ids, now },
        {
          actor,
          action: 'endpoint.switched_off',
          subjectKind: 'endpoint',
          subjectId: owned.endpointId,
          companyId: owned.companyId,
        },
      )
    }
    return showEndpoint(tx, { keyRing, clock }, owned)
  })
}
