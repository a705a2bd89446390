/** The duty that works jobs of resends: a step a second of each, in the database and on any node. */
import type { Context } from '../context.ts'
import { nextResendStep, stepResendJobs } from '../webhooks/step-resend-jobs.ts'
import type { WorkingDuty } from './loop.ts'

export function createResendDuty(
  context: Pick<Context, 'db' | 'clock' | 'log'>,
  { onProgress }: { onProgress(): void },
): WorkingDuty {
  return {
    name: 'resend',
    async work() {
      const { steps, made } = await stepResendJobs(context)
      if (made > 0) onProgress()
      return steps > 0
    },
    nextDue: () => nextResendStep(context),
    inFlight: () => 0,
    drain: () => Promise.resolve(),
  }
}
