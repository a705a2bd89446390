import { fact, type Fact } from '../../../core/facts/fact.ts'
import type { ProviderError, ProviderErrorClass } from '../inbound.ts'
import { readId } from '../provider/read-values.ts'
import { whyRefused } from '../why-refused.ts'
import { classesByCode, type ClassifyCode } from './read-graph-error.ts'

/** Codes of Messenger and Instagram; what they mean alone, where no subcode says more. */
const CLASSES = classesByCode({
  // The person is not available: blocked the page, left, or may not be written to.
  recipient: [551],
  rate: [4, 17, 32, 613, 80006],
  auth: [0, 3, 102, 190],
  blocked: [368],
  content: [100],
  transient: [-1, 1, 2, 1200],
})

const SUBCODES = classesByCode({
  // Outside of the allowed window, of Messenger and of Instagram.
  window: [2018065, 2018278, 2534022],
  // Nobody there; not available; takes no messages; no role while the app is in development.
  recipient: [2018001, 2018028, 2018108, 1545041, 2534014],
  content: [2018007, 2018047, 2018074, 2018109, 2534015],
  transient: [2018012, 1545012],
  rate: [1893016, 2018022],
})

/** How Messenger's and Instagram's codes are to be taken. */
export const classifyMessagingCode: ClassifyCode = (code, fields) => {
  const subcode = Number(readId(fields.error_subcode) ?? Number.NaN)
  // The page does not exist for this token: nothing about the message is wrong.
  const isPageUnknown = code === 100 && subcode === 33
  const byCode: ProviderErrorClass =
    permissionClass(code, subcode) ??
    CLASSES.get(code) ??
    (fields.is_transient === true ? 'transient' : 'other')
  return { class: isPageUnknown ? 'auth' : (SUBCODES.get(subcode) ?? byCode) }
}

/** Of a token: the app was removed, the password changed, it expired or was called back, the session is none. */
const OF_TOKEN: ReadonlySet<number> = new Set([452, 458, 459, 460, 463, 464, 467, 492])

/**
 * What may not be done. Alone it says that the token may not write at all; with a subcode it is about this
 * message, as where another app has the thread, unless that is of the token.
 */
function permissionClass(code: number, subcode: number): ProviderErrorClass | null {
  if (code !== 10 && !(code >= 200 && code <= 299)) return null
  return Number.isNaN(subcode) || OF_TOKEN.has(subcode) ? 'auth' : 'other'
}

/** An access token that speaks for another page or account than the form names. */
export const OF_ANOTHER = 'of_another'

/** What an error means to whoever connects a channel of this product, with the provider's own words. */
export function explainMessagingError(
  product: 'messenger' | 'instagram',
  error: ProviderError,
): Fact {
  const told = { product, said: error.message, providerCode: error.code }
  if (error.code === OF_ANOTHER) return fact('meta_token_of_another', { product })
  switch (error.class) {
    case 'auth':
    case 'rate':
    case 'blocked':
    case 'transient':
    case 'content':
      return fact(`meta_${error.class}`, told)
    case 'billing':
    case 'window':
    case 'template':
    case 'recipient':
    case 'opt_out':
    case 'other':
      return whyRefused(error)
  }
}
