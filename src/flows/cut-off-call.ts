/**
 * A call that was under way when its worker died. Nobody knows whether the merchant's system has
 * acted on it. Spec: reading F10.
 */
import type { Transaction } from 'kysely'
import type { RunCall } from '../contract/dashboard/run.ts'
import type { HttpRequestStep } from '../contract/flow-definition.ts'
import type { DB } from '../database/tables.ts'
import { CALL_LIMITS } from '../limits.ts'
import type { CallOutcome } from './advance.ts'
import type { RunInHand } from './read-run.ts'
import type { ClosedCall } from './step-log.ts'

const ATTEMPTS_OF_GET = 2

export type CutOffCall = {
  /** Of the step in the run's history. */
  number: number
  /** Requests that were about to go out. */
  attempts: number
  startedAt: Date
  /** Where they went; null when none did. */
  call: RunCall | null
}

/** The call that a run was at; null when its last step is none that was begun. */
export async function readCutOffCall(
  tx: Transaction<DB>,
  { run }: RunInHand,
): Promise<CutOffCall | null> {
  const row = await tx
    .selectFrom('flowRunStep')
    .select(['number', 'callAttempts', 'startedAt', 'call'])
    .where('runId', '=', run.id)
    .where('number', '=', run.steps)
    .where('status', '=', 'started')
    .where('callAttempts', 'is not', null)
    .executeTakeFirst()
  if (!row) return null
  const call = row.call === null ? null : (JSON.parse(row.call) as RunCall)
  return { ...row, attempts: row.callAttempts!, call }
}

/** Whether the call may be made after all: nothing of it had gone out, or it is a GET's second try. */
export function mayCallAgain({ request }: HttpRequestStep, { attempts }: CutOffCall): boolean {
  return attempts === 0 || (request.method === 'GET' && attempts < ATTEMPTS_OF_GET)
}

/** The time that a cut-off call is counted with: since it began, no longer than an attempt can last. */
export function lostMs({ attempts, startedAt }: CutOffCall, now: Date): number {
  if (attempts === 0) return 0
  const sinceMs = Math.max(0, now.getTime() - startedAt.getTime())
  return Math.min(sinceMs, CALL_LIMITS.timeoutMaxMs)
}

const NOT_BEGUN = 'The service stopped before this call went out. It was not made.'
const UNDER_WAY =
  'The service stopped while this call was under way. Whether your system received it is not known: look for it there. It was not sent again.'

/** The end of a call that is not made again: the Failed path. */
export function interruptedCall(
  { request }: HttpRequestStep,
  { number, attempts, call }: CutOffCall,
): { outcome: CallOutcome; closed: ClosedCall } {
  const outcome = { isSuccess: false, httpStatus: null, kept: {}, attempts, durationMs: 0 }
  const { method, path } = request
  return {
    outcome,
    closed: {
      number,
      status: 'interrupted',
      detail: attempts === 0 ? NOT_BEGUN : UNDER_WAY,
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
