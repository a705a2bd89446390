/** The duty that takes broadcasts on, a step at a time and on any node; what it hands over the outbox sends. */
import { nextBroadcastStep, stepBroadcasts } from '../broadcasts/step-broadcasts.ts'
import type { LinkDeps } from '../broadcasts/write-to-recipients.ts'
import type { Context } from '../context.ts'
import type { WorkingDuty } from './loop.ts'

export function createSendBroadcastsDuty(
  context: Pick<Context, 'db' | 'ids' | 'clock' | 'log'>,
  links: LinkDeps,
): WorkingDuty {
  return {
    name: 'send-broadcasts',
    work: async () => (await stepBroadcasts(context, links)) > 0,
    nextDue: () => nextBroadcastStep(context),
    inFlight: () => 0,
    drain: () => Promise.resolve(),
  }
}
