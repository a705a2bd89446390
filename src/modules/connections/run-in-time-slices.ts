import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Steps } from '../../infra/redaction/steps.ts'

/** The time in ms after which other work may run. */
const SLICE_MS = 5

/** Runs a generator to its end in time slices, so that it blocks the event loop for at most a slice and one step. */
export async function runInTimeSlices<Result>(steps: Steps<Result>): Promise<Result> {
  let fromMs = performance.now()
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    if (performance.now() - fromMs < SLICE_MS) continue
    await nextTurn()
    fromMs = performance.now()
  }
}
