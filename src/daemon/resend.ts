/** The duty that works jobs of resends: a step a second of each, in the database and on any node. */
import type { Context } from '../context.ts'
import { nextResendStep, stepResendJobs } from '../deliveries/step-resend-jobs.ts'
import type { WorkingDuty } from './loop.ts'

export function createResendDuty(context: Pick<Context, 'db' | 'clock' | 'log'>): WorkingDuty {
  return {
    name: 'resend',
    work: async () => (await stepResendJobs(context)) > 0,
    nextDue: () => nextResendStep(context),
    inFlight: () => 0,
    drain: () => Promise.resolve(),
  }
}
