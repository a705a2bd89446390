import { z } from 'zod'
import { LANGUAGES } from '../../core/vocabulary/hooks.ts'
import { contactEdit } from './edit-contact.ts'
import { nextStep, type StepDefinition } from './step-design.ts'

const schema = z.object({
  kind: z.literal('language'),
  language: z.enum(LANGUAGES),
  next: nextStep,
})

/** The step that sets the language of the run and of all later messages to the customer. Spec: Flows › Steps. */
export const LANGUAGE = {
  schema,
  exits: ({ next }) => ({ next }),
  enter({ language, next }, walk) {
    walk.state.language = language
    return contactEdit(walk, next, { language })
  },
} satisfies StepDefinition<z.infer<typeof schema>>
