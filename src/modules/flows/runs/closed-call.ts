import type { RunCall } from '../../../contract/dashboard/run.ts'
import type { Fact } from '../../../core/facts/fact.ts'

/** How a call ended, for the history of its run. */
export type ClosedCall = {
  /** Of the step in the run's history. */
  number: number
  status: 'done' | 'failed' | 'interrupted'
  detail: Fact | null
  call: RunCall
}
