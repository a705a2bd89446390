import type { Transaction } from 'kysely'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import {
  CURRENT_API_VERSION,
  type ApiVersion,
  type EventType,
} from '../../core/vocabulary/events.ts'

const SECRET_BYTES = 32

type Deps = { ids: Ids; keyRing: KeyRing; now: Date }

/**
 * Inserts an endpoint with its first signing secret, which is stored encrypted and returned only here.
 *
 * Spec: Deliveries › Endpoint; Deliveries › Secrets.
 */
export async function createEndpoint(
  tx: Transaction<DB>,
  { ids, keyRing, now }: Deps,
  input: {
    companyId: string
    name: string
    url: string
    eventTypes: readonly EventType[]
    apiVersion?: ApiVersion
    /** A fixed secret for the demonstration; random by default. */
    secret?: string
  },
): Promise<{ endpointId: string; secret: string }> {
  const endpointId = ids.uuid()
  await tx
    .insertInto('endpoint')
    .values({
      id: endpointId,
      companyId: input.companyId,
      name: input.name,
      url: input.url,
      apiVersion: input.apiVersion ?? CURRENT_API_VERSION,
      eventTypes: [...input.eventTypes],
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  const secret = await writeSecret(
    tx,
    { ids, keyRing, now },
    { companyId: input.companyId, endpointId, ...(input.secret ? { secret: input.secret } : {}) },
  )
  await tx.insertInto('endpointHealth').values({ endpointId, companyId: input.companyId }).execute()
  return { endpointId, secret }
}

/** Inserts a new current secret, `whsec_` and 43 URL-safe characters, and returns it. */
export async function writeSecret(
  tx: Transaction<DB>,
  { ids, keyRing, now }: Deps,
  {
    companyId,
    endpointId,
    secret = `whsec_${ids.token(SECRET_BYTES)}`,
  }: { companyId: string; endpointId: string; secret?: string },
): Promise<string> {
  const id = ids.uuid()
  await tx
    .insertInto('endpointSecret')
    .values({
      id,
      companyId,
      endpointId,
      secret: keyRing.encrypt(secret, encryptionContext(id, companyId)),
      lastFour: secret.slice(-4),
      createdAt: now,
    })
    .execute()
  return secret
}

/** Returns the context that binds a secret's ciphertext to its row. */
export function encryptionContext(secretId: string, companyId: string) {
  return { table: 'endpoint_secret', column: 'secret', rowId: secretId, companyId }
}
