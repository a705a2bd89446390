import { z } from 'zod'
import { variableName } from '../../schemas/flow-names.ts'
import { fact } from '../../core/facts/fact.ts'
import { compare, Comparison, issuesOfComparison, valueNamed } from './compare.ts'
import { nextStep, type StepDefinition } from './step-design.ts'
import { FLOW_LIMITS } from '../../core/limits/flows.ts'

const schema = z.object({
  kind: z.literal('condition'),
  variable: variableName,
  is: Comparison,
  /** The value to compare with; ignored for empty and not_empty, a list for one_of. */
  value: z.string().max(FLOW_LIMITS.comparedChars),
  /** The step when the condition is met. */
  next: nextStep,
  otherwise: nextStep,
})
type ConditionStep = z.infer<typeof schema>

/** The step that continues by whether a variable meets a condition. Spec: Flows › Steps. */
export const CONDITION = {
  schema,
  exits: ({ next, otherwise }) => ({ next, otherwise }),
  reads: ({ variable }) => [variable],
  issues: ({ is, value }) => issuesOfComparison('value', is, value),
  enter(step, { state }) {
    return compare(valueNamed(state.variables, step.variable), step.is, step.value)
      ? { kind: 'go_on', to: step.next, detail: fact('condition_holds') }
      : { kind: 'go_on', to: step.otherwise, detail: fact('condition_does_not_hold') }
  },
} satisfies StepDefinition<ConditionStep>
