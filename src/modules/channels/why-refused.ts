import { fact, type Fact } from '../../core/facts/fact.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import type { ProviderError } from './inbound.ts'

/** As it is kept beside a message or a channel: our reason, else the provider's words. */
export function whyRefused({ code, message, why }: ProviderError): Fact {
  return why ?? fact('provider_refused', { said: cleanText(message), providerCode: code })
}
