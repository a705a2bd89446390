/**
 * Calls that were in progress when their worker died. Whether the merchant's system has processed them is unknown.
 * Spec: reading F10.
 */
import type { RunCall } from '../../../contract/dashboard/run.ts'
import { fact } from '../../../core/facts/fact.ts'
import { CALL_LIMITS } from '../../../core/limits/calls.ts'
import type { CallOutcome } from './interpret-flow.ts'
import type { ClosedCall } from './closed-call.ts'
import type { CallStep } from '../../../flow-kinds/steps/step-design.ts'

const ATTEMPTS_OF_GET = 2

/** The unfinished call of a run's last step. */
export type InterruptedCall = {
  /** The number of the step in the run's history. */
  number: number
  /** Requests that were about to be sent. */
  attempts: number
  startedAt: Date
  /** The target of the requests; null when none was sent. */
  call: RunCall | null
}

/** Returns whether to repeat the call: no request was sent, or it is a GET with an attempt left. */
export function mayRetryCall({ request }: CallStep, { attempts }: InterruptedCall): boolean {
  return attempts === 0 || (request.method === 'GET' && attempts < ATTEMPTS_OF_GET)
}

/**
 * Returns the ms that an interrupted call adds to the run's time of calls since the last reply. It is the time since
 * its start, at most the timeout of an attempt, and 0 when no request was sent.
 */
export function lostMs({ attempts, startedAt }: InterruptedCall, now: Date): number {
  if (attempts === 0) return 0
  const sinceMs = Math.max(0, now.getTime() - startedAt.getTime())
  return Math.min(sinceMs, CALL_LIMITS.timeoutMaxMs)
}

/** Returns the failed outcome and the history line of an interrupted call that is not repeated. */
export function closeInterruptedCall(
  { request }: CallStep,
  { number, attempts, call }: InterruptedCall,
): { outcome: CallOutcome; closed: ClosedCall } {
  const outcome = { isSuccess: false, httpStatus: null, kept: {}, attempts, durationMs: 0 }
  const { method, path } = request
  return {
    outcome,
    closed: {
      number,
      status: 'interrupted',
      detail: fact(attempts === 0 ? 'call_not_begun' : 'call_cut_off'),
      call: {
        method,
        host: call?.host ?? null,
        path: call?.path ?? path,
        httpStatus: null,
        durationMs: 0,
        attempts,
        failure: null,
        kept: [],
      },
    },
  }
}
