import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { normalizeReference } from '../../rules/appointments/normalize-reference.ts'
import { filledText, nextStep, variablesIn, type StepDefinition } from './step-design.ts'

const schema = z.object({
  kind: z.literal('cancel_appointment'),
  /** The reason for staff and for the event. */
  reason: filledText.nullable().default(null),
  next: nextStep,
  /** The step when there is no appointment to cancel, or it has begun. */
  onNone: nextStep,
})

/** The step that cancels the run's appointment, or else the customer's next one. Spec: Flows › Booking; reading F45. */
export const CANCEL_APPOINTMENT = {
  schema,
  exits: ({ next, onNone }) => ({ next, onNone }),
  runsInlineEffects: true,
  reads: ({ reason }) => variablesIn([reason ?? '']),
  enter({ reason }, { state, fill }) {
    // A question may have stored the reference.
    const named = state.variables.appointment_reference ?? null
    const reference = named === null ? null : normalizeReference(named)
    const why = reason === null ? '' : fill(reason).trim()
    const effect = { kind: 'cancel_appointment', reference, reason: why || null } as const
    return { kind: 'effect', effect }
  },
  resume({ next, onNone }, input) {
    if (input.kind !== 'effect_done') return null
    const { outcome } = input
    if (outcome.kind === 'cancelled') {
      const { reference } = outcome
      return { kind: 'go_on', to: next, done: fact('appointment_called_off', { reference }) }
    }
    return { kind: 'go_on', to: onNone, done: fact('no_appointment_to_cancel') }
  },
} satisfies StepDefinition<z.infer<typeof schema>>
