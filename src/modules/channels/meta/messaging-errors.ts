import { fact, type Fact } from '../../../core/facts/fact.ts'
import type { ProviderError, ProviderErrorClass } from '../inbound.ts'
import { readId } from '../provider/read-values.ts'
import { whyRefused } from '../why-refused.ts'
import { APP_SECRET_WRONG } from './check-app-secret.ts'
import { classesByCode, type ClassifyCode } from './read-graph-error.ts'

/** Codes of Messenger and Instagram, for errors whose subcode is not more specific. */
const CLASSES = classesByCode({
  // The person is unavailable: blocked the page, left, or may not be written to.
  recipient: [551],
  rate: [4, 17, 32, 613, 80006],
  auth: [0, 3, 102, 190],
  blocked: [368],
  content: [100],
  transient: [-1, 1, 2, 1200],
})

const SUBCODES = classesByCode({
  // The message is outside the allowed window, of Messenger and of Instagram.
  window: [2018065, 2018278, 2534022],
  // The person does not exist, is unavailable, takes no messages, or has no role while the app is in development.
  recipient: [2018001, 2018028, 2018108, 1545041, 2534014],
  content: [2018007, 2018047, 2018074, 2018109, 2534015],
  transient: [2018012, 1545012],
  rate: [1893016, 2018022],
})

/** Classifies codes of Messenger and Instagram. */
export const classifyMessagingCode: ClassifyCode = (code, fields) => {
  const subcode = Number(readId(fields.error_subcode) ?? Number.NaN)
  // The page does not exist for this token, so the message is not at fault.
  const isPageUnknown = code === 100 && subcode === 33
  const byCode: ProviderErrorClass =
    permissionClass(code, subcode) ??
    CLASSES.get(code) ??
    (fields.is_transient === true ? 'transient' : 'other')
  return { class: isPageUnknown ? 'auth' : (SUBCODES.get(subcode) ?? byCode) }
}

/**
 * Subcodes of token errors: the app was removed, the password changed, the token expired or was revoked, the session
 * is invalid.
 */
const OF_TOKEN: ReadonlySet<number> = new Set([452, 458, 459, 460, 463, 464, 467, 492])

/**
 * Returns the class of a permission error. Alone it means that the token may not write at all; with a subcode it
 * concerns this message, for instance when another app controls the thread, unless the subcode concerns the token.
 */
function permissionClass(code: number, subcode: number): ProviderErrorClass | null {
  if (code !== 10 && !(code >= 200 && code <= 299)) return null
  return Number.isNaN(subcode) || OF_TOKEN.has(subcode) ? 'auth' : 'other'
}

/** The code for an access token of another page or account than the form names. */
export const TOKEN_OF_ANOTHER = 'of_another'

/** Returns what an error means to the member who connects a channel of this product, with the provider's message. */
export function explainMessagingError(
  product: 'messenger' | 'instagram',
  error: ProviderError,
): Fact {
  const values = { product, said: error.message, providerCode: error.code }
  if (error.code === APP_SECRET_WRONG) return fact('meta_app_secret_wrong')
  if (error.code === TOKEN_OF_ANOTHER) return fact('meta_token_of_another', { product })
  switch (error.class) {
    case 'auth':
    case 'rate':
    case 'blocked':
    case 'transient':
    case 'content':
      return fact(`meta_${error.class}`, values)
    case 'billing':
    case 'window':
    case 'template':
    case 'recipient':
    case 'opt_out':
    case 'other':
      return whyRefused(error)
  }
}
