import { z } from 'zod'
import { issuesOfText } from './issues-of-text.ts'
import {
  afterSend,
  filledText,
  ifNotSent,
  nextStep,
  variablesIn,
  type StepDefinition,
} from './step-design.ts'

const schema = z.object({
  kind: z.literal('send_message'),
  text: filledText.min(1),
  next: nextStep,
  onNotSent: ifNotSent,
})

/** The step that sends a text. Spec: Flows › Steps. */
export const SEND_MESSAGE = {
  schema,
  exits: ({ next, onNotSent }) => ({ next, onNotSent }),
  sends: 'message',
  reads: ({ text }) => variablesIn([text]),
  enter: ({ text }, { fill }) => ({ kind: 'send', content: { kind: 'text', text: fill(text) } }),
  resume: afterSend,
  issues: ({ text }, { channelType }) => issuesOfText('text', text, channelType),
} satisfies StepDefinition<z.infer<typeof schema>>
