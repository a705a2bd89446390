/**
 * Trials of the assistant by members who set it up, and suggested replies for the inbox. Spec: Assistant › Trying it
 * out.
 */
import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { ASSISTANT_SETUP_LIMITS as LIMITS } from '../../core/limits/assistant-setup.ts'
import type { HandoverReason } from '../../core/vocabulary/inbox.ts'
import { failsWith } from '../../schemas/broken-rule.ts'
import type { ReplyDetail, StepView } from './assistant-reply.ts'
import { EditAssistant } from './assistant.ts'
import { formText } from '../../schemas/form-text.ts'

const message = z.strictObject({
  by: z.enum(['customer', 'assistant']),
  text: formText(1, LIMITS.trialChars),
})

export const TryAssistant = z.strictObject({
  /** Unsaved settings. A setting that is left out has its saved value. */
  settings: EditAssistant.omit({ revision: true, isOn: true, debounceMs: true }).default({}),
  /** Oldest first; the last is the customer's. */
  messages: z
    .array(message)
    .min(1)
    .max(LIMITS.trialMessages)
    .refine(
      (messages) => messages.at(-1)?.by === 'customer',
      failsWith(fact('last_not_customers')),
    ),
})
export type TryAssistant = z.output<typeof TryAssistant>

/** The result of a trial. A trial writes, sends and executes nothing. */
export type TrialView = {
  /** The messages that the customer would receive. */
  said: string[]
  /** A handover. `says` is the model's text, which is also in `said`, or a fixed sentence, or empty. */
  handover: {
    reason: HandoverReason
    reasonText: string | null
    detail: string | null
    says: 'text' | 'fixed' | 'media' | 'nothing'
  } | null
  /** The reason why no model answered; null if one did. */
  failure: string | null
  tokensIn: number
  tokensOut: number
  steps: StepView[]
  parts: ReplyDetail['parts']
}

export type SuggestionView = {
  /** Null where nothing can be suggested. */
  text: string | null
  /** The reason why there is no suggestion. */
  failure: string | null
  /** The chunks of knowledge that the suggestion uses. */
  chunks: StepView['chunks']
}
