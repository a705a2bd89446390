import { fact, type Fact } from '../../core/facts/fact.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import type { ProviderError } from './inbound.ts'

/** Returns the stored reason of a refusal: this service's, else the provider's message. */
export function whyRefused({ code, message, why }: ProviderError): Fact {
  return why ?? fact('provider_refused', { said: cleanText(message), providerCode: code })
}
