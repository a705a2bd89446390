import type { RunCall } from '../../../contract/dashboard/run.ts'
import type { Fact } from '../../../core/facts/fact.ts'

/** The end of a step's call, as the history of its run records it. */
export type ClosedCall = {
  /** The number of the step in the run's history. */
  number: number
  status: 'done' | 'failed' | 'interrupted'
  detail: Fact | null
  call: RunCall
}
