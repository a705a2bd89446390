import type { AssistantSetupFacts } from '../../facts/assistant-setup.ts'
import type { Sentences } from '../sentences.ts'

export const EN_ASSISTANT_SETUP: Sentences<AssistantSetupFacts> = {
  assistant_changed: () =>
    'Somebody changed the assistant meanwhile. Look at it again before you save.',
  no_model_hears: () =>
    'no model that is on writes voice notes down: give one a model for voice notes first',
  no_model_sees: () => 'no model that is on reads images: switch that on with one first',
  no_such_reply: () => 'There is no such reply of the assistant.',
  last_not_customers: () => 'must end with a message of the customer',
  conversation_went_on: () =>
    'Somebody wrote meanwhile, so that the suggestion fits no more. Ask for another one.',
}
