/** What the assistant would say: tried out by who sets it up, or suggested to who answers. Spec: Assistant › Trying it out. */
import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { ASSISTANT_SETUP_LIMITS as LIMITS } from '../../core/limits/assistant-setup.ts'
import type { HandoverReason } from '../../core/vocabulary/inbox.ts'
import { breaks } from '../../schemas/broken-rule.ts'
import type { ReplyDetail, StepView } from './assistant-reply.ts'
import { EditAssistant } from './assistant.ts'
import { formText } from '../../schemas/form-text.ts'

const message = z.strictObject({
  by: z.enum(['customer', 'assistant']),
  text: formText(1, LIMITS.trialChars),
})

export const TryAssistant = z.strictObject({
  /** As they are being written; what is not named is as it is saved. */
  settings: EditAssistant.omit({ revision: true, isOn: true, debounceMs: true }).default({}),
  /** Oldest first; the last is the customer's. */
  messages: z
    .array(message)
    .min(1)
    .max(LIMITS.trialMessages)
    .refine((messages) => messages.at(-1)?.by === 'customer', breaks(fact('last_not_customers'))),
})
export type TryAssistant = z.output<typeof TryAssistant>

/** Nothing of it was written, sent or done. */
export type TrialView = {
  /** What the customer would be told, in its messages. */
  said: string[]
  /** `says`: a text of the model, which is in `said`, a fixed sentence of a handover, or nothing. */
  handover: {
    reason: HandoverReason
    reasonText: string | null
    detail: string | null
    says: 'text' | 'fixed' | 'media' | 'nothing'
  } | null
  /** Why no model answered; null where one did. */
  failure: string | null
  tokensIn: number
  tokensOut: number
  steps: StepView[]
  parts: ReplyDetail['parts']
}

export type SuggestionView = {
  /** Null where nothing can be suggested. */
  text: string | null
  /** Why not. */
  failure: string | null
  /** From what of the knowledge. */
  chunks: StepView['chunks']
}
