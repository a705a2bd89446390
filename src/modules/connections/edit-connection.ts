import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { ConnectionView, EditConnection } from '../../contract/dashboard/connection.ts'
import { SECOND_MS } from '../../core/limits/units.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { authColumns, requireHeaders, type ConnectionDeps } from './create-connection.ts'
import { requirePublicUrl } from '../endpoints/require-public-url.ts'
import {
  loadOwnedConnection,
  lockConnection,
  viewConnection,
  type OwnedConnection,
} from './view-connection.ts'
import { withdrawProposals } from './withdraw-proposals.ts'

/**
 * Changes the given fields of a connection, on any plan. A new origin is another server, so the credential must be
 * entered again: otherwise a member could have it sent to their server.
 *
 * @throws not_found; invalid when the base URL or a header cannot be used, or the credential is missing; stale when
 * the connection has changed since `updatedAt`. Spec: Calls › Connections; reading C1.
 */
export async function editConnection(
  { db, ids, clock, keyRing, addressGuard }: ConnectionDeps,
  actor: Actor,
  { companyId, connectionId, updatedAt, ...input }: EditConnection & OwnedConnection,
): Promise<ConnectionView> {
  const owned = { companyId, connectionId }
  const before = await loadOwnedConnection(db.kysely, owned)
  if (input.headers !== undefined) requireHeaders(input.headers)
  const baseUrl =
    input.baseUrl === undefined || input.baseUrl === before.baseUrl
      ? before.baseUrl
      : await requirePublicUrl(addressGuard, 'connection', input.baseUrl)
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const current = await lockConnection(tx, owned)
    const seenAt = updatedAt === undefined ? before.updatedAt : new Date(updatedAt)
    if (seenAt.getTime() !== current.updatedAt.getTime()) {
      throw new ServiceError('stale', fact('connection_changed'))
    }
    const hasNewOrigin = new URL(baseUrl).origin !== new URL(current.baseUrl).origin
    if (hasNewOrigin && current.authKind !== 'none' && input.auth === undefined)
      throw credentialRequired()
    const row = await tx
      .updateTable('apiConnection')
      .set({
        ...(input.name === undefined ? {} : { name: input.name }),
        ...(input.auth === undefined ? {} : authColumns(keyRing, current, input.auth)),
        ...(input.headers === undefined ? {} : { headers: JSON.stringify(input.headers) }),
        ...(input.timeoutSeconds === undefined
          ? {}
          : { timeoutMs: input.timeoutSeconds * SECOND_MS }),
        baseUrl,
        updatedAt: now,
      })
      .where('id', '=', connectionId)
      .where('companyId', '=', companyId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await withdrawProposals(tx, { companyId, connectionId }, 'connection_changed', now)
    await audit(
      'connection.edited',
      { id: connectionId, companyId },
      {
        fields: Object.keys(input),
        ...(baseUrl === current.baseUrl ? {} : { baseUrl }),
        ...(input.auth === undefined ? {} : { auth: input.auth.kind }),
      },
    )
    return viewConnection(row)
  })
}

function credentialRequired(): ServiceError {
  return new ServiceError('invalid', fact('credential_for_other_server'), {
    errors: [{ field: 'auth', ...fact('credential_needed_again') }],
  })
}
