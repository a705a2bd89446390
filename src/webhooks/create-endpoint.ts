import type { Transaction } from 'kysely'
import type { KeyRing } from '../accounts/key-ring.ts'
import type { DB } from '../database/tables.ts'
import type { Ids } from '../ids.ts'
import { CURRENT_API_VERSION, type EventType } from '../vocabulary.ts'

const SECRET_BYTES = 32

/**
 * Writes an endpoint with its first signing secret: `whsec_` and 43 URL-safe characters, returned
 * here once and stored encrypted.
 *
 * Spec: Webhook delivery; Authentication › Secret rotation.
 */
export async function createEndpoint(
  tx: Transaction<DB>,
  { ids, keyRing, now }: { ids: Ids; keyRing: KeyRing; now: Date },
  input: { companyId: string; name: string; url: string; eventTypes: readonly EventType[] },
): Promise<{ endpointId: string; secret: string }> {
  const endpointId = ids.uuid()
  const secretId = ids.uuid()
  const secret = `whsec_${ids.token(SECRET_BYTES)}`
  await tx
    .insertInto('endpoint')
    .values({
      id: endpointId,
      companyId: input.companyId,
      name: input.name,
      url: input.url,
      apiVersion: CURRENT_API_VERSION,
      eventTypes: [...input.eventTypes],
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  await tx
    .insertInto('endpointSecret')
    .values({
      id: secretId,
      companyId: input.companyId,
      endpointId,
      secret: keyRing.encrypt(secret, secretPlace(secretId, input.companyId)),
      lastFour: secret.slice(-4),
      createdAt: now,
    })
    .execute()
  await tx.insertInto('endpointHealth').values({ endpointId, companyId: input.companyId }).execute()
  return { endpointId, secret }
}

export function secretPlace(secretId: string, companyId: string) {
  return { table: 'endpoint_secret', column: 'secret', rowId: secretId, companyId }
}
