import type { Call, CompletedCall, CallTarget } from '../../connections/make-call.ts'
import { valuesToSave } from '../../connections/values-to-save.ts'
import type { Context } from '../../../infra/context.ts'
import { retryWhileUnavailable } from '../../../infra/database/retry-while-unavailable.ts'
import { fact, type Fact } from '../../../core/facts/fact.ts'
import type { CallOutcome, Variables } from './interpret-flow.ts'
import type { ClaimedRun } from './run-queue.ts'
import { startCallAttempt } from './start-call-attempt.sql.ts'
import type { ClosedCall } from './closed-call.ts'
import type { CallStep } from '../../../flow-kinds/steps/step-design.ts'

/** A function that makes one call to a merchant's API. It never throws for errors of the merchant's side. */
export type MakeCall = (call: Call) => Promise<CompletedCall>

/** A call that an advance has recorded as started and that is to be made now. */
export type PendingCall = {
  stepId: string
  /** The number of the step in the run's history. */
  number: number
  step: CallStep
  variables: Variables
  withinMs: number
  /** Attempts that an earlier worker started before it died: at most one, of a GET. */
  attemptsBefore: number
}

/** The result of a call: the input of the next advance, and its line in the history. */
export type StepCallResult = { outcome: CallOutcome; closed: ClosedCall }

/**
 * Makes the HTTP call of a run's step and returns its outcome, also when it failed. Records each attempt before it is
 * sent, so that neither a crash nor a stale worker sends a POST twice or a GET three times. Spec: Calls › HTTP steps;
 * reading F10.
 */
export async function makeStepCall(
  deps: Pick<Context, 'db' | 'clock'> & { makeCall: MakeCall; stopping: AbortSignal },
  run: ClaimedRun,
  { stepId, number, step, variables, withinMs, attemptsBefore }: PendingCall,
): Promise<StepCallResult> {
  const completed = await deps.makeCall({
    companyId: run.companyId,
    request: step.request,
    fillings: { vars: variables },
    source: { kind: 'step', runId: run.id, stepId },
    withinMs,
    mayRepeat: attemptsBefore === 0,
    onAttempt(attempt, target) {
      const call = { ...NO_OUTCOME, ...targetOf(step, target), attempts: attemptsBefore + attempt }
      const { id: runId, claimId } = run
      const start = (isAgain: boolean) =>
        startCallAttempt(deps.db, { runId, claimId, number, call, now: deps.clock.now(), isAgain })
      return retryWhileUnavailable(start, deps)
    },
  })
  const isSuccess = completed.outcome === 'success'
  const kept = isSuccess ? valuesToSave(completed.answer, step.keep) : {}
  const attempts = attemptsBefore + completed.attempts
  return {
    outcome: {
      isSuccess,
      httpStatus: completed.httpStatus,
      kept,
      attempts,
      durationMs: Math.round(completed.durationMs),
    },
    closed: {
      number,
      status: isSuccess ? 'done' : 'failed',
      detail: isSuccess
        ? whatIsMissing(step, completed, kept)
        : (completed.detail ?? fact('call_could_not_be_made')),
      call: {
        ...targetOf(step, completed.target),
        httpStatus: completed.httpStatus,
        durationMs: Math.round(completed.durationMs),
        attempts,
        failure: completed.failure,
        kept: Object.keys(kept).filter((name) => kept[name]),
      },
    },
  }
}

/** Returns the target of a call for the history: without query, headers, body and credentials. */
function targetOf({ request }: CallStep, target: CallTarget | null) {
  return { method: request.method, host: target?.host ?? null, path: target?.path ?? request.path }
}

const NO_OUTCOME = { httpStatus: null, durationMs: 0, failure: null, kept: [] }

/**
 * Returns which values a successful response lacks although the step saves them, so that later steps may get empty
 * ones.
 */
function whatIsMissing({ keep }: CallStep, completed: CompletedCall, kept: Variables): Fact | null {
  if (completed.isUnreadable) return completed.detail
  const missing = keep.filter(({ name }) => !kept[name])
  if (missing.length === 0) return null
  if (completed.answer === null) return fact('call_answer_not_json')
  return fact('call_kept_nothing', { paths: missing.map(({ path }) => path) })
}
