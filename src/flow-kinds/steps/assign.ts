import { z } from 'zod'
import { uuidInput } from '../../schemas/uuid-input.ts'
import { issuesOfMember } from './member.ts'
import { nextStep, type StepDefinition } from './step-design.ts'

const schema = z.object({
  kind: z.literal('assign'),
  /** Null leaves the conversation unassigned. */
  personId: uuidInput.nullable(),
  next: nextStep,
})

/** The step that assigns the conversation to a member while the flow continues. Spec: Flows › Steps; reading F36. */
export const ASSIGN = {
  schema,
  exits: ({ next }) => ({ next }),
  enter: ({ personId, next }) => ({
    kind: 'go_on',
    to: next,
    detail: null,
    act: { kind: 'assign', personId },
  }),
  issues: ({ personId }, around) => issuesOfMember('personId', personId, around),
} satisfies StepDefinition<z.infer<typeof schema>>
