/** The duty that works bulk closes: a page at a time of each, in the database and on any node. */
import type { Context } from '../context.ts'
import { nextCloseStep, stepCloseJobs } from '../inbox/step-close-jobs.ts'
import type { WorkingDuty } from './loop.ts'

export function createCloseConversationsDuty(
  context: Pick<Context, 'db' | 'ids' | 'clock' | 'log'>,
): WorkingDuty {
  return {
    name: 'close-conversations',
    work: async () => (await stepCloseJobs(context)) > 0,
    nextDue: () => nextCloseStep(context),
    inFlight: () => 0,
    drain: () => Promise.resolve(),
  }
}
