import type { AssistantSetupFacts } from '../../core/facts/assistant-setup.ts'
import type { Catalog } from '../catalog.ts'

export const EN_ASSISTANT_SETUP: Catalog<AssistantSetupFacts> = {
  assistant_changed: () =>
    'Someone else changed the assistant’s settings while you were editing. Review them before you save.',
  no_model_hears: () => 'needs an active model that can transcribe voice notes. Set one up first',
  no_model_sees: () => 'needs an active model that understands images. Set one up first',
  no_such_reply: () => 'No assistant reply with this ID.',
  last_not_customers: () => 'must end with a customer message',
  conversation_went_on: () =>
    'Someone wrote in the meantime, so the suggestion no longer fits. Ask for a new one.',
}
