import { URL_REFUSED } from '../contract/url-refused.ts'
import { CALL_LIMITS, DELIVERY_LIMITS } from '../limits.ts'
import { guardedAddresses, type AddressGuard } from '../outbound/guarded-addresses.ts'
import { OutboundError } from '../outbound/outbound-error.ts'
import { readConnectionBaseUrl, readEndpointUrl } from '../rules/merchant-url.ts'
import { ServiceError } from '../service-error.ts'

const KINDS = {
  endpoint: { field: 'url', read: readEndpointUrl, mostChars: DELIVERY_LIMITS.urlChars },
  connection: {
    field: 'baseUrl',
    read: readConnectionBaseUrl,
    mostChars: CALL_LIMITS.baseUrlChars,
  },
} as const

/**
 * Reads the URL of an endpoint, or the base URL of a connection, and looks its host up: every address
 * must be public. The same is asked again before every connection. Returns the URL in the form in
 * which it is stored.
 *
 * @throws invalid on the field `url` or `baseUrl`; a failed look-up has the code `dns_failed`, apart
 * from a verdict on the address. Spec: Deliveries › Endpoint; Calls › Connections.
 */
export async function requirePublicUrl(
  guard: AddressGuard,
  kind: keyof typeof KINDS,
  raw: string,
): Promise<string> {
  const { field, read, mostChars } = KINDS[kind]
  const refusal = (code: string, message: string) =>
    new ServiceError('invalid', 'The URL cannot be used.', { errors: [{ field, code, message }] })
  const url = read(raw.trim(), guard.isAllowedAddress)
  if (!url.ok) {
    throw refusal(
      `url_${url.reason}`,
      url.reason === 'too_long'
        ? `must have at most ${mostChars} characters`
        : URL_REFUSED[url.reason],
    )
  }
  const signal = AbortSignal.timeout(DELIVERY_LIMITS.connectMs)
  try {
    await guardedAddresses(url.value.hostname, { ...guard, signal })
  } catch (error) {
    if (error instanceof OutboundError && error.code === 'address_refused') {
      throw refusal('url_address', URL_REFUSED.address)
    }
    if (error instanceof OutboundError || signal.aborted) {
      throw refusal(
        'dns_failed',
        'has a host name that could not be looked up: check its spelling and its DNS records, and try again',
      )
    }
    throw error
  }
  return url.value.href
}
