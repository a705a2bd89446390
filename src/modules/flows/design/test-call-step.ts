import type { FormatFact } from '../../../contract/dashboard/localized-fact.ts'
import type { Actor } from '../../accounts/actor.ts'
import { loadPlan } from '../../accounts/load-plan.ts'
import { auditedTransaction } from '../../accounts/audited-transaction.ts'
import { consumeRateLimit } from '../../accounts/consume-rate-limit.sql.ts'
import { requireConnectionsInPlan } from '../../connections/create-connection.ts'
import { makeCall, type CallDeps } from '../../connections/make-call.ts'
import { lengthsOfCutValues, valuesToSave } from '../../connections/values-to-save.ts'
import type { TestedCall } from '../../../contract/dashboard/flow.ts'
import { fact } from '../../../core/facts/fact.ts'
import { ServiceError } from '../../../core/service-error.ts'
import type { Variables } from '../../../flow-kinds/steps/run-state.ts'
import type { CallStep } from '../../../flow-kinds/steps/step-design.ts'
import { designOf } from '../../../flow-kinds/steps/steps.ts'
import type { OwnedFlow } from './lock-flow.ts'
import { showFlow } from './view-flow.ts'

type Test = OwnedFlow & { stepId: string; vars: Variables }

/**
 * Makes the call of a step of the draft, or else of the published version, as one real request with sample values. There
 * is no run and no retry, and the connection may be off. It counts against the daily quota of calls.
 *
 * @throws not_found; not_in_plan; rate_limited after 10 a minute in the account.
 * Spec: Calls › HTTP steps; Limits › Calls.
 */
export async function testCallStep(
  deps: CallDeps & { formatFact: FormatFact },
  actor: Actor,
  { companyId, flowId, stepId, vars }: Test,
): Promise<TestedCall> {
  const { db, clock, ids } = deps
  const flow = await showFlow(db.kysely, actor, { companyId, flowId })
  const { steps = {} } = (flow.draft ?? flow.published)?.definition ?? {}
  const found = Object.hasOwn(steps, stepId) ? steps[stepId] : undefined
  const step = found && designOf(found).call?.(found)
  if (!step) {
    throw new ServiceError('not_found', fact('no_such_call_step'))
  }
  requireConnectionsInPlan(await loadPlan(db.kysely, actor.accountId))
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await consumeRateLimit(tx, { accountId: actor.accountId, what: 'connection_tests', now })
    const detail = { stepId, method: step.request.method }
    await audit('flow.step_tested', { id: flowId, companyId }, detail)
  })
  return call(deps, { companyId, personId: actor.personId, step, vars })
}

async function call(
  deps: CallDeps & { formatFact: FormatFact },
  of: { companyId: string; personId: string; step: CallStep; vars: Variables },
): Promise<TestedCall> {
  const made = await makeCall(deps, {
    companyId: of.companyId,
    request: of.step.request,
    fillings: { vars: of.vars },
    source: { kind: 'test', personId: of.personId },
    mayRepeat: false,
    evenIfOff: true,
  })
  const answer = made.outcome === 'success' ? made.answer : null
  return {
    outcome: made.outcome,
    isMade: made.isMade,
    httpStatus: made.httpStatus,
    failure: made.failure,
    detail: made.detail && deps.formatFact(made.detail),
    sent: made.sent && {
      ...made.sent,
      headers: made.sent.headers.map(([name, value]) => ({ name, value })),
    },
    answer: made.answerText,
    answerChars: made.answerChars,
    kept: valuesToSave(answer, of.step.keep),
    keptChars: lengthsOfCutValues(answer, of.step.keep),
    durationMs: Math.round(made.durationMs),
  }
}
