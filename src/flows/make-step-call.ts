import type { Call, CallMade } from '../connections/make-call.ts'
import { readKept } from '../connections/read-kept.ts'
import type { Context } from '../context.ts'
import type { HttpRequestStep } from '../contract/flow-definition.ts'
import type { RunCall } from '../contract/dashboard/run.ts'
import type { CallOutcome, Variables } from './advance.ts'
import type { ClaimedRun } from './claim-runs.sql.ts'
import { startCallAttempt } from './start-call-attempt.sql.ts'
import type { ClosedCall } from './step-log.ts'

/** Makes one call to a merchant's API. Never throws for what the merchant's side does. */
export type MakeCall = (call: Call) => Promise<CallMade>

/** A call that a turn has written down as begun, and that is now to be made. */
export type CallToMake = {
  stepId: string
  /** Of the step in the run's history. */
  number: number
  step: HttpRequestStep
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
 * Spec: HTTP step; docs/decisions (a step with an effect outside).
 */
export async function makeStepCall(
  deps: Pick<Context, 'db' | 'clock'> & { makeCall: MakeCall },
  run: ClaimedRun,
  { stepId, number, step, variables, withinMs, attemptsBefore }: CallToMake,
): Promise<Called> {
  const made = await deps.makeCall({
    companyId: run.companyId,
    request: step.request,
    fillings: { vars: variables },
    source: { kind: 'step', runId: run.id, stepId },
    withinMs,
    mayRepeat: attemptsBefore === 0,
    onAttempt: (attempt) =>
      startCallAttempt(deps.db, {
        runId: run.id,
        claimId: run.claimId,
        number,
        attempt: attemptsBefore + attempt,
        now: deps.clock.now(),
      }),
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
      detail: made.detail,
      call: {
        ...describe(step, made),
        attempts,
        kept: Object.keys(kept).filter((name) => kept[name]),
      },
    },
  }
}

/** The line of the history, without query, headers, body and credential. */
function describe(step: HttpRequestStep, made: CallMade): Omit<RunCall, 'attempts' | 'kept'> {
  const url = made.sent ? new URL(made.sent.url) : null
  return {
    method: step.request.method,
    host: url?.host ?? null,
    path: url?.pathname ?? step.request.path,
    httpStatus: made.httpStatus,
    durationMs: Math.round(made.durationMs),
    failure: made.failure,
  }
}
