import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Steps } from '../../infra/redaction/steps.ts'

/** After this time others have a turn. */
const SLICE_MS = 5

/** Runs work that comes in steps so that it holds nobody up for longer than a slice and a step. */
export async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  let fromMs = performance.now()
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    if (performance.now() - fromMs < SLICE_MS) continue
    await nextTurn()
    fromMs = performance.now()
  }
}
