import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { FLOW_LIMITS } from '../../core/limits/flows.ts'
import { nextStep, variablesIn, type StepDefinition } from './step-design.ts'

const schema = z.object({
  kind: z.literal('note'),
  text: z.string().min(1).max(FLOW_LIMITS.noteChars),
  next: nextStep,
})

/** The step that adds a note for staff, which no customer sees. Spec: Flows › Steps. */
export const NOTE = {
  schema,
  exits: ({ next }) => ({ next }),
  reads: ({ text }) => variablesIn([text]),
  enter({ text, next }, { fill }) {
    const note = fill(text).trim()
    if (note === '') return { kind: 'go_on', to: next, detail: fact('note_empty') }
    return { kind: 'go_on', to: next, detail: null, act: { kind: 'note', text: note } }
  },
} satisfies StepDefinition<z.infer<typeof schema>>
