import { z } from 'zod'
import { variableName } from '../../schemas/flow-names.ts'
import { setVariable } from './run-state.ts'
import { filledText, nextStep, variablesIn, type StepDefinition } from './step-design.ts'

const schema = z.object({
  kind: z.literal('set_variable'),
  name: variableName,
  text: filledText,
  next: nextStep,
})

/** The step that sets a variable of the run to a text. Spec: Flows › Steps. */
export const SET_VARIABLE = {
  schema,
  exits: ({ next }) => ({ next }),
  reads: ({ text }) => variablesIn([text]),
  sets: ({ name }) => [name],
  enter({ name, text, next }, { state, fill }) {
    setVariable(state.variables, name, fill(text))
    return { kind: 'go_on', to: next, detail: null }
  },
} satisfies StepDefinition<z.infer<typeof schema>>
