import { URL_REFUSED } from '../contract/url-refused.ts'
import { CALL_LIMITS } from '../limits.ts'
import { guardedAddresses, type AddressGuard } from '../outbound/guarded-addresses.ts'
import { OutboundError } from '../outbound/outbound-error.ts'
import { readConnectionBaseUrl } from '../rules/merchant-url.ts'
import { ServiceError } from '../service-error.ts'

/**
 * Reads a connection's base URL and looks its host up: every address must be public. The same is
 * asked again before every connection. Returns the URL in the form in which it is stored.
 *
 * @throws invalid on the field `baseUrl`; a failed look-up has the code `dns_failed`, apart from a
 * verdict on the address. Spec: API connection › Base URL.
 */
export async function requireBaseUrl(guard: AddressGuard, raw: string): Promise<string> {
  const read = readConnectionBaseUrl(raw.trim(), guard.isAllowedAddress)
  if (!read.ok) {
    throw refusal(
      `url_${read.reason}`,
      read.reason === 'too_long'
        ? `must have at most ${CALL_LIMITS.baseUrlChars} characters`
        : URL_REFUSED[read.reason],
    )
  }
  const signal = AbortSignal.timeout(CALL_LIMITS.connectMs)
  try {
    await guardedAddresses(read.value.hostname, { ...guard, signal })
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
  return read.value.href
}

function refusal(code: string, message: string): ServiceError {
  return new ServiceError('invalid', 'The base URL cannot be used.', {
    errors: [{ field: 'baseUrl', code, message }],
  })
}
