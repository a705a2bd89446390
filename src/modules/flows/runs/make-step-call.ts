import type { Call, CompletedCall, CallTarget } from '../../connections/make-call.ts'
import { readKept } from '../../connections/read-kept.ts'
import type { Context } from '../../../infra/context.ts'
import { retryWhileUnavailable } from '../../../infra/database/retry-while-unavailable.ts'
import { fact, type Fact } from '../../../core/facts/fact.ts'
import type { CallOutcome, Variables } from './interpret-flow.ts'
import type { ClaimedRun } from './run-queue.ts'
import { startCallAttempt } from './start-call-attempt.sql.ts'
import type { ClosedCall } from './closed-call.ts'
import type { CallStep } from '../../../flow-kinds/steps/step-design.ts'

/** Makes one call to a merchant's API. Never throws for what the merchant's side does. */
export type MakeCall = (call: Call) => Promise<CompletedCall>

/** A call that a turn has written down as begun, and that is now to be made. */
export type PendingCall = {
  stepId: string
  /** Of the step in the run's history. */
  number: number
  step: CallStep
  variables: Variables
  withinMs: number
  /** Attempts that an earlier worker began before it died: 1 only of a GET. */
  attemptsBefore: number
}

/** What a call has come to: what the run goes on with, and its line in the history. */
export type Called = { outcome: CallOutcome; closed: ClosedCall }

/**
 * Makes the call of a step, each attempt written down before it goes out, so that no crash and no
 * late worker sends a POST twice or a GET three times.
 * Spec: Calls › HTTP steps; reading F10.
 */
export async function makeStepCall(
  deps: Pick<Context, 'db' | 'clock'> & { makeCall: MakeCall; stopping: AbortSignal },
  run: ClaimedRun,
  { stepId, number, step, variables, withinMs, attemptsBefore }: PendingCall,
): Promise<Called> {
  const made = await deps.makeCall({
    companyId: run.companyId,
    request: step.request,
    fillings: { vars: variables },
    source: { kind: 'step', runId: run.id, stepId },
    withinMs,
    mayRepeat: attemptsBefore === 0,
    onAttempt(attempt, target) {
      const call = { ...NO_OUTCOME, ...where(step, target), attempts: attemptsBefore + attempt }
      const { id: runId, claimId } = run
      const start = (isAgain: boolean) =>
        startCallAttempt(deps.db, { runId, claimId, number, call, now: deps.clock.now(), isAgain })
      return retryWhileUnavailable(start, deps)
    },
  })
  const isSuccess = made.outcome === 'success'
  const kept = isSuccess ? readKept(made.answer, step.keep) : {}
  const attempts = attemptsBefore + made.attempts
  return {
    outcome: {
      isSuccess,
      httpStatus: made.httpStatus,
      kept,
      attempts,
      durationMs: Math.round(made.durationMs),
    },
    closed: {
      number,
      status: isSuccess ? 'done' : 'failed',
      detail: isSuccess
        ? whatIsMissing(step, made, kept)
        : (made.detail ?? fact('call_could_not_be_made')),
      call: {
        ...where(step, made.target),
        httpStatus: made.httpStatus,
        durationMs: Math.round(made.durationMs),
        attempts,
        failure: made.failure,
        kept: Object.keys(kept).filter((name) => kept[name]),
      },
    },
  }
}

/** Where a call goes, for the history: without query, headers, body and credential. */
function where({ request }: CallStep, target: CallTarget | null) {
  return { method: request.method, host: target?.host ?? null, path: target?.path ?? request.path }
}

const NO_OUTCOME = { httpStatus: null, durationMs: 0, failure: null, kept: [] }

/** What a good answer did not have although the step keeps it: a later step may come out empty. */
function whatIsMissing({ keep }: CallStep, made: CompletedCall, kept: Variables): Fact | null {
  if (made.isUnreadable) return made.detail
  const missing = keep.filter(({ name }) => !kept[name])
  if (missing.length === 0) return null
  if (made.answer === null) return fact('call_answer_not_json')
  return fact('call_kept_nothing', { paths: missing.map(({ path }) => path) })
}
