import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { readEndpointUrl, type UrlRefusal } from '../../rules/addresses/merchant-url.ts'
import type { Say } from '../../core/words/define-words.ts'
import type { webhooksWords } from './words.ts'

type Says = Say<(typeof webhooksWords)['en']>

/** Returns the fault of a URL that can be found without a DNS lookup, or null. */
export function urlFault(url: string, t: Says): string | null {
  const read = readEndpointUrl(url.trim(), isNotLocal)
  return read.ok ? null : sayRefusal(read.reason, t)
}

/** The server decides which addresses may be reached, because the operator can allow private ones. */
function isNotLocal(): boolean {
  return true
}

function sayRefusal(reason: UrlRefusal, t: Says): string {
  return reason === 'too_long' ? t('too_long', { limit: DELIVERY_LIMITS.urlChars }) : t(reason)
}
