import type { AssistantSetupFacts } from '../../facts/assistant-setup.ts'
import type { Sentences } from '../sentences.ts'

export const EN_ASSISTANT_SETUP: Sentences<AssistantSetupFacts> = {
  assistant_changed: () =>
    'Someone else changed the assistant’s settings while you were editing. Review them before you save.',
  no_model_hears: () => 'needs an active model that can transcribe voice notes. Set one up first',
  no_model_sees: () => 'needs an active model that understands images. Set one up first',
  no_such_reply: () => 'No assistant reply with this ID.',
  last_not_customers: () => 'must end with a customer message',
  conversation_went_on: () =>
    'Someone wrote in the meantime, so the suggestion no longer fits. Ask for a new one.',
}
