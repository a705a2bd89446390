import type { RunDetail, RunStepView } from '../../src/contract/dashboard/run.ts'
import { walkPages, type Member } from './dashboard.ts'

export type ShownRun = RunDetail & { steps: RunStepView[] }

/** Returns a run with all its steps, as a member sees them. */
export async function shownRun(
  by: Pick<Member, 'ask'>,
  { companyId, runId }: { companyId: string; runId: string },
): Promise<ShownRun> {
  const path = `/companies/${companyId}/runs/${runId}`
  const { body } = await by.ask<RunDetail>('GET', path)
  return { ...body, steps: await walkPages<RunStepView>(by, `${path}/steps`, { limit: '2' }) }
}
