import { requireBelowLimit } from '../accounts/require-below-limit.ts'
import type { Actor } from '../accounts/actor.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type {
  ConnectionAuth,
  ConnectionView,
  CreateConnection,
} from '../../contract/dashboard/connection.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { SECOND_MS } from '../../core/limits/units.ts'
import type { AddressGuard } from '../../infra/egress/guarded-addresses.ts'
import { validateHeaders } from '../../rules/calls/validate-call-request.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'
import { sealCredential, type Credential } from './credential.ts'
import { requirePublicUrl } from '../endpoints/require-public-url.ts'
import { viewConnection } from './view-connection.ts'

/** The dependencies of use cases on connections. */
export type ConnectionDeps = Context & { keyRing: KeyRing; addressGuard: AddressGuard }

/**
 * Creates an API connection. The company is locked, so that concurrent requests cannot exceed its limit.
 *
 * @throws not_in_plan, limit_reached; invalid when the base URL or a header cannot be used.
 * Spec: Calls › Connections; Limits › Calls.
 */
export async function createConnection(
  { db, ids, clock, keyRing, addressGuard }: ConnectionDeps,
  actor: Actor,
  { companyId, ...input }: CreateConnection & { companyId: string },
): Promise<ConnectionView> {
  requireHeaders(input.headers)
  const baseUrl = await requirePublicUrl(addressGuard, 'connection', input.baseUrl)
  const id = ids.uuid()
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    requireConnectionsInPlan((await lockCompany(tx, actor, companyId)).plan)
    await requireBelowLimit(
      tx
        .selectFrom('apiConnection')
        .where('companyId', '=', companyId)
        .where('deletedAt', 'is', null),
      CALL_LIMITS.connectionsPerCompany,
      fact('connections_used_up', { max: CALL_LIMITS.connectionsPerCompany }),
    )
    const row = await tx
      .insertInto('apiConnection')
      .values({
        id,
        companyId,
        name: input.name,
        baseUrl,
        ...authColumns(keyRing, { id, companyId }, input.auth),
        headers: JSON.stringify(input.headers),
        timeoutMs: input.timeoutSeconds * SECOND_MS,
        isOn: input.isOn,
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(
      'connection.created',
      { id, companyId },
      { name: input.name, baseUrl, auth: input.auth.kind, isOn: input.isOn },
    )
    return viewConnection(row)
  })
}

/** Returns the columns of a kind of authentication with its credential. */
export function authColumns(
  keyRing: KeyRing,
  owner: { id: string; companyId: string },
  auth: ConnectionAuth,
) {
  return {
    authKind: auth.kind,
    authName: 'name' in auth ? auth.name : null,
    ...sealCredential(keyRing, owner, credentialOf(auth)),
  }
}

function credentialOf(auth: ConnectionAuth): Credential | null {
  switch (auth.kind) {
    case 'none':
      return null
    case 'bearer':
      return { token: auth.token }
    case 'basic':
      return { username: auth.username, password: auth.password }
    case 'header':
    case 'query':
      return { token: auth.key }
  }
}

/** Throws unless the plan has connections. @throws not_in_plan */
export function requireConnectionsInPlan(plan: Plan): void {
  if (PLAN_LIMITS[plan].developer) return
  throw new ServiceError('not_in_plan', fact('connections_not_in_plan', { plan }))
}

/** Throws when a header cannot be set. @throws invalid, with every such header */
export function requireHeaders(headers: CreateConnection['headers']): void {
  const errors = validateHeaders(headers)
  if (errors.length > 0) {
    throw new ServiceError('invalid', fact('headers_not_settable'), { errors })
  }
}
