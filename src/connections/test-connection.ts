import type { Actor } from '../accounts/actor.ts'
import { loadPlan } from '../accounts/load-plan.ts'
import { recordAudit } from '../accounts/record-audit.ts'
import { takeMinutePlace } from '../accounts/take-minute-place.sql.ts'
import type { TestConnection, TestedConnection } from '../contract/dashboard/connection.ts'
import type { CallRequest } from '../contract/call-request.ts'
import { transaction } from '../database/transaction.ts'
import { CALL_LIMITS } from '../limits.ts'
import { judgeCallRequest } from '../rules/judge-call-request.ts'
import { ServiceError } from '../service-error.ts'
import { requireConnectionsInPlan } from './create-connection.ts'
import { CALL_NOT_MADE } from './explain-call.ts'
import { makeCall, type CallDeps } from './make-call.ts'
import { loadOwnedConnection, type OwnedConnection } from './view-connection.ts'

/**
 * Sends one real GET through a connection, also through one that is off. It counts as a call of the
 * day. What the server makes of it is no error here: it is in the answer.
 *
 * @throws not_found, not_in_plan; invalid when the path cannot be called; rate_limited after 10 a
 * minute in the account; limit_reached when the day's calls are used up.
 * Spec: Calls › Connections; Limits › Calls.
 */
export async function testConnection(
  deps: CallDeps,
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
  const errors = judgeCallRequest(request, () => false)
  if (errors.length > 0) throw new ServiceError('invalid', 'The path cannot be called.', { errors })
  const now = clock.now()
  await transaction(db, async (tx) => {
    const detail = { name }
    const subject = { subjectKind: 'connection', subjectId: connectionId, companyId }
    await recordAudit(tx, { ids, now }, { actor, action: 'connection.tested', ...subject, detail })
    const place = await takeMinutePlace(tx, {
      accountId: actor.accountId,
      what: 'connection_tests',
      most: CALL_LIMITS.testsPerMinute,
      now,
    })
    if (place.ok) return
    throw new ServiceError(
      'rate_limited',
      `An account has ${CALL_LIMITS.testsPerMinute} tests of calls a minute. Try again from ${place.freesAt.toISOString()}.`,
      { retryAfterMs: place.freesAt.getTime() - now.getTime() },
    )
  })
  const made = await makeCall(deps, {
    companyId,
    request,
    fillings: {},
    source: { kind: 'test', personId: actor.personId },
    evenIfOff: true,
  })
  if (made.failure === 'allowance_used_up') {
    throw new ServiceError('limit_reached', CALL_NOT_MADE.allowance_used_up)
  }
  return {
    outcome: made.outcome,
    httpStatus: made.httpStatus,
    failure: made.failure,
    detail: made.detail,
    sent: made.sent && {
      ...made.sent,
      headers: made.sent.headers.map(([header, value]) => ({ name: header, value })),
    },
    answer: made.answerText,
    attempts: made.attempts,
    durationMs: made.durationMs,
  }
}
