/**
 * A call that was under way when its worker died. Nobody knows whether the merchant's system has
 * acted on it. Spec: reading F10.
 */
import type { RunCall } from '../../../contract/dashboard/run.ts'
import { fact } from '../../../core/facts/fact.ts'
import { CALL_LIMITS } from '../../../core/limits/calls.ts'
import type { CallOutcome } from './interpret-flow.ts'
import type { ClosedCall } from './closed-call.ts'
import type { CallStep } from '../../../flow-kinds/steps/step-design.ts'

const ATTEMPTS_OF_GET = 2

/** The call that a run was at, where its last step is one that was begun. */
export type InterruptedCall = {
  /** Of the step in the run's history. */
  number: number
  /** Requests that were about to go out. */
  attempts: number
  startedAt: Date
  /** Where they went; null when none did. */
  call: RunCall | null
}

/** Whether the call may be made after all: nothing of it had gone out, or it is a GET's second try. */
export function mayCallAgain({ request }: CallStep, { attempts }: InterruptedCall): boolean {
  return attempts === 0 || (request.method === 'GET' && attempts < ATTEMPTS_OF_GET)
}

/** The time that a cut-off call is counted with: since it began, no longer than an attempt can last. */
export function lostMs({ attempts, startedAt }: InterruptedCall, now: Date): number {
  if (attempts === 0) return 0
  const sinceMs = Math.max(0, now.getTime() - startedAt.getTime())
  return Math.min(sinceMs, CALL_LIMITS.timeoutMaxMs)
}

/** The end of a call that is not made again: the Failed path. */
export function interruptedCall(
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
