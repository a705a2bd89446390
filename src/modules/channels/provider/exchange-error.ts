import { fact } from '../../../core/facts/fact.ts'
import type { ProviderError } from '../inbound.ts'

/** Codes that a retry cannot fix, before anything is written. */
const WRONG_SETTINGS = new Set(['base_url_invalid', 'UND_ERR_INVALID_ARG'])

/** Returns the error of an exchange without a response. It contains no URL, as a bot's URLs contain its token. */
export function exchangeError(outcome: 'not_sent' | 'lost', code: string): ProviderError {
  return {
    code,
    class: WRONG_SETTINGS.has(code) ? 'other' : 'transient',
    message: '',
    why: fact(outcome === 'not_sent' ? 'provider_not_reached' : 'provider_answer_cut', {
      fault: code,
    }),
  }
}
