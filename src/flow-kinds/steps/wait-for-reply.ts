import { z } from 'zod'
import { variableName } from '../../schemas/flow-names.ts'
import { fact } from '../../core/facts/fact.ts'
import { setVariable } from './run-state.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { waitMinutes } from './wait-minutes.ts'
import { nextStep, type StepDefinition } from './step-design.ts'

const schema = z.object({
  kind: z.literal('wait_for_reply'),
  saveAs: variableName.nullable(),
  timeoutMinutes: waitMinutes,
  next: nextStep,
  onTimeout: nextStep,
})

/** The step that waits for the customer's next message, and may store its text. Spec: Flows › Steps. */
export const WAIT_FOR_REPLY = {
  schema,
  exits: ({ next, onTimeout }) => ({ next, onTimeout }),
  waits: { isAnswer: (exit) => exit === 'next' },
  sets: ({ saveAs }, exit) => (saveAs && exit === 'next' ? [saveAs] : []),
  enter: ({ timeoutMinutes }) => ({
    kind: 'wait',
    forReply: true,
    timeoutMs: timeoutMinutes * MINUTE_MS,
  }),
  resume({ saveAs, next, onTimeout }, input, { state }) {
    if (input.kind === 'timeout') {
      return { kind: 'go_on', to: onTimeout, done: fact('no_reply_in_time') }
    }
    if (input.kind !== 'reply') return null
    if (saveAs) setVariable(state.variables, saveAs, input.text)
    return { kind: 'go_on', to: next, done: fact('customer_replied') }
  },
} satisfies StepDefinition<z.infer<typeof schema>>
