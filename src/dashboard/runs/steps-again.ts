import type { RunDetail } from '../../contract/dashboard/run.ts'

/** The time after which a run that has not ended is read again. */
export const RUN_AGAIN_MS = 3_000

/** A run, and the time at which it was read. */
export type ShownRun = { run: RunDetail; readAt: number }

/** Returns the interval at which the steps are read again: until they are read after the end of the run was. */
export function stepsAgain({ run, readAt }: ShownRun) {
  return ({ state }: { state: { dataUpdatedAt: number } }): number | false =>
    run.endedAt === null || state.dataUpdatedAt < readAt ? RUN_AGAIN_MS : false
}
