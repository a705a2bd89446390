import { z } from 'zod'
import { uuidInput } from '../../schemas/uuid-input.ts'
import { issuesOfMember } from './member.ts'
import { filledText, variablesIn, type StepDefinition } from './step-design.ts'

const schema = z.object({
  kind: z.literal('handover'),
  /** The reason for staff. The customer gets only the messages that the flow sends before. */
  text: filledText.nullable().default(null),
  /** The member who gets the conversation. Null offers it to any member. */
  personId: uuidInput.nullable().default(null),
})

/** The step that hands the conversation over to staff and ends the run. Spec: Flows › Steps; reading F36. */
export const HANDOVER = {
  schema,
  exits: () => ({}),
  reads: ({ text }) => variablesIn([text ?? '']),
  enter({ text, personId }, { fill }) {
    const why = text === null ? '' : fill(text).trim()
    return { kind: 'end', act: { kind: 'hand_over', text: why === '' ? null : why, personId } }
  },
  issues: ({ personId }, around) => issuesOfMember('personId', personId, around),
} satisfies StepDefinition<z.infer<typeof schema>>
