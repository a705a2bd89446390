import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { nextOpening } from '../../rules/flows/opening-hours.ts'
import { nextStep, stepIssue, type StepDefinition } from './step-design.ts'
import { waitMinutes } from './wait-minutes.ts'

const schema = z.object({
  kind: z.literal('wait'),
  until: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('minutes'), minutes: waitMinutes }),
    /** The company's opening hours; the run does not wait while it is open. */
    z.object({ kind: z.literal('open') }),
  ]),
  next: nextStep,
})
type WaitStep = z.infer<typeof schema>

/**
 * The step that lets time pass. It takes no reply: a message meanwhile goes to another handler. Spec: Flows › Steps;
 * reading F34.
 */
export const WAIT = {
  schema,
  exits: ({ next }) => ({ next }),
  waits: { isAnswer: () => false },
  enter({ until, next }, { around: { now, zone, openingHours } }) {
    if (until.kind === 'minutes') {
      return { kind: 'wait', forReply: false, timeoutMs: until.minutes * MINUTE_MS }
    }
    const opens = openingHours && nextOpening(openingHours, zone, now)
    if (!opens) return { kind: 'go_on', to: next, detail: fact('no_opening_hours') }
    if (opens <= now) return { kind: 'go_on', to: next, detail: fact('is_open') }
    return { kind: 'wait', forReply: false, timeoutMs: opens.getTime() - now.getTime() }
  },
  resume: ({ next }, input) =>
    input.kind === 'timeout' ? { kind: 'go_on', to: next, done: fact('time_has_passed') } : null,
  issues: ({ until }, { hasOpeningHours }) =>
    until.kind === 'open' && !hasOpeningHours
      ? [stepIssue('until', 'opening_hours_set', fact('opening_hours_set'))]
      : [],
} satisfies StepDefinition<WaitStep>
