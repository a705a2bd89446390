import type { Context } from '../../../infra/context.ts'
import { deferJob } from '../../../infra/database/queues/defer-job.ts'
import { RUN_RETRIES } from './run-retries.ts'
import { makeStepCall, type MakeCall, type StepCallResult } from './make-step-call.ts'
import type { AdvanceOutcome, RunToAdvance } from './advance-runs.ts'

/** The dependencies of a claimed run's execution. */
export type RunJobDeps = Pick<Context, 'db' | 'clock' | 'ids'> & {
  /** Advances a run, in a batch with others. */
  advance(run: RunToAdvance): Promise<AdvanceOutcome>
  makeCall: MakeCall
  /** Aborts when the process stops. */
  stopping: AbortSignal
}

/** The outcome of an advance that has a pending call. */
export type CallOfAdvance = Extract<AdvanceOutcome, { kind: 'call' }>

/** Returns the job of a claimed run, whose effects are the calls of its steps. */
export function createRunJob(deps: RunJobDeps, run: RunToAdvance['run']) {
  return {
    advance: (called: StepCallResult | null) => deps.advance({ run, called }),
    perform: (call: CallOfAdvance) => makeStepCall(deps, run, call),
    defer: () => deferJob(deps, RUN_RETRIES, run),
  }
}
