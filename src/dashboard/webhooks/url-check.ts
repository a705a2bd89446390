import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { readEndpointUrl, type UrlRefusal } from '../../rules/addresses/merchant-url.ts'
import type { Say } from '../words/define-words.ts'
import type { webhooksWords } from './words.ts'

type Says = Say<(typeof webhooksWords)['en']>

/** What is wrong with the URL as far as it can be told without looking its name up; null where nothing is. */
export function urlFault(url: string, t: Says): string | null {
  const read = readEndpointUrl(url.trim(), isNotLocal)
  return read.ok ? null : sayRefusal(read.reason, t)
}

/** Which addresses may be reached is the server's to say: the operator may have opened some. */
function isNotLocal(): boolean {
  return true
}

function sayRefusal(reason: UrlRefusal, t: Says): string {
  return reason === 'too_long' ? t('too_long', { limit: DELIVERY_LIMITS.urlChars }) : t(reason)
}
