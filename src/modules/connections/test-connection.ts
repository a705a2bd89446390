import type { Actor } from '../accounts/actor.ts'
import { loadPlan } from '../accounts/load-plan.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import { consumeRateLimit } from '../accounts/consume-rate-limit.sql.ts'
import type { TestConnection, TestedConnection } from '../../contract/dashboard/connection.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { CallRequest } from '../../schemas/call-request.ts'
import { validateCallRequest } from '../../rules/calls/validate-call-request.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { requireConnectionsInPlan } from './create-connection.ts'
import { callNotMade } from './explain-call.ts'
import { makeCall, type CallDeps } from './make-call.ts'
import { loadOwnedConnection, type OwnedConnection } from './view-connection.ts'

/**
 * Sends one real GET through a connection, which may be off. It is not retried, and counts against the daily quota.
 * An error of the server is part of the result.
 *
 * @throws not_found, not_in_plan; invalid when the path cannot be called; rate_limited after 10 a minute in the
 * account; limit_reached when the daily quota is exhausted.
 * Spec: Calls › Connections; Limits › Calls.
 */
export async function testConnection(
  deps: CallDeps & { formatFact: FormatFact },
  actor: Actor,
  { companyId, connectionId, path }: TestConnection & OwnedConnection,
): Promise<TestedConnection> {
  const { db, clock, ids } = deps
  const { name } = await loadOwnedConnection(db.kysely, { companyId, connectionId })
  requireConnectionsInPlan(await loadPlan(db.kysely, actor.accountId))
  const request: CallRequest = {
    connectionId,
    method: 'GET',
    path,
    query: [],
    headers: [],
    body: null,
  }
  const errors = validateCallRequest(request, () => false)
  if (errors.length > 0) throw new ServiceError('invalid', fact('path_not_callable'), { errors })
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await audit('connection.tested', { id: connectionId, companyId }, { name })
    await consumeRateLimit(tx, { accountId: actor.accountId, what: 'connection_tests', now })
  })
  const made = await makeCall(deps, {
    companyId,
    request,
    fillings: {},
    source: { kind: 'test', personId: actor.personId },
    mayRepeat: false,
    evenIfOff: true,
  })
  if (made.failure === 'allowance_used_up') {
    throw new ServiceError('limit_reached', callNotMade('allowance_used_up'))
  }
  return {
    outcome: made.outcome,
    httpStatus: made.httpStatus,
    failure: made.failure,
    detail: made.detail && deps.formatFact(made.detail),
    sent: made.sent && {
      ...made.sent,
      headers: made.sent.headers.map(([header, value]) => ({ name: header, value })),
    },
    answer: made.answerText,
    answerChars: made.answerChars,
    attempts: made.attempts,
    durationMs: made.durationMs,
  }
}
