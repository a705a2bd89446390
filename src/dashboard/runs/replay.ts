/** The path of a run through its version of the flow. */
import type { RunDetail, RunStepView } from '../../contract/dashboard/run.ts'
import { stepAt, type Draft } from '../flows/draft.ts'
import { exitsOf } from '../flows/steps/kinds.ts'

/** The last visit of a run to a step, and the number of visits. */
export type Visit = Pick<RunStepView, 'status' | 'startedAt' | 'endedAt'> & { times: number }

/** The course of a run, for its map. */
export type Replay = {
  /** Visits by the id of their step. */
  visits: ReadonlyMap<string, Visit>
  /** Returns whether the run took this exit; `maybe` where another exit leads to the same step. */
  wentBy(stepId: string | null, exit: string): 'yes' | 'maybe' | 'no'
}

/** Returns the course of a run, for its map: the state of each visited step, and which lines it took. */
export function replayOf(
  { steps, endedAt }: Pick<RunDetail, 'endedAt'> & { steps: readonly RunStepView[] },
  draft: Draft,
): Replay {
  const visits = new Map<string, Visit>()
  const passed = new Set<string>()
  for (const [at, { stepId, status, startedAt, endedAt: doneAt }] of steps.entries()) {
    const times = (visits.get(stepId)?.times ?? 0) + 1
    visits.set(stepId, { status, startedAt, endedAt: doneAt, times })
    const next = steps[at + 1]
    if (next) passed.add(`${stepId}>${next.stepId}`)
    else if (endedAt !== null && status === 'done') passed.add(`${stepId}>`)
  }
  return {
    visits,
    wentBy(stepId, exit) {
      if (stepId === null) return exit === 'start' && steps.length > 0 ? 'yes' : 'no'
      const step = stepAt(draft, stepId)
      const ways = step ? exitsOf(step) : []
      const to = ways.find((way) => way.exit === exit)?.to
      if (to === undefined || !passed.has(`${stepId}>${to ?? ''}`)) return 'no'
      return ways.filter((way) => way.to === to).length === 1 ? 'yes' : 'maybe'
    },
  }
}
