import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import { registerChangedEndpoints, notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import { cancelDeliveriesOf } from './cancel-deliveries.sql.ts'
import { lockEndpoint } from './lock-endpoint.ts'
import type { OwnedEndpoint } from './view-endpoint.ts'

/**
 * Deletes an endpoint, on any plan: cancels its waiting deliveries, which stay in the log, and its resend job, and
 * wipes its secrets.
 * @throws not_found. Spec: reading D3.
 */
export async function deleteEndpoint(
  { db, ids, clock }: Context,
  actor: Actor,
  owned: OwnedEndpoint,
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const { name } = await removeEndpoint(tx, now, owned)
    await audit('endpoint.deleted', { id: owned.endpointId, companyId: owned.companyId }, { name })
  })
}

/** Deletes an endpoint without an acting member, and without an audit entry. @throws not_found */
export async function removeEndpoint(
  tx: Transaction<DB>,
  now: Date,
  { companyId, endpointId }: OwnedEndpoint,
): Promise<{ name: string }> {
  const before = await lockEndpoint(tx, { companyId, endpointId })
  notifyAfterCommit(tx, 'deliveries')
  registerChangedEndpoints(tx)
  await tx
    .updateTable('endpoint')
    .set({
      deletedAt: now,
      isOn: false,
      offReason: before.offReason ?? 'by_member',
      offAt: before.offAt ?? now,
      updatedAt: now,
    })
    .where('id', '=', endpointId)
    .where('companyId', '=', companyId)
    .execute()
  await tx
    .deleteFrom('endpointSecret')
    .where('endpointId', '=', endpointId)
    .where('companyId', '=', companyId)
    .execute()
  await cancelDeliveriesOf(tx, { companyId, endpointId, now })
  await tx
    .updateTable('resendJob')
    .set({
      state: 'cancelled',
      reason: 'endpoint_deleted',
      dueAt: null,
      endedAt: now,
      updatedAt: now,
    })
    .where('endpointId', '=', endpointId)
    .where('companyId', '=', companyId)
    .where('state', 'in', ['running', 'paused'])
    .execute()
  return { name: before.name }
}
