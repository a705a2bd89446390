import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { KNOWLEDGE_LIMITS } from '../../core/limits/knowledge.ts'
import { guardedAddresses, type AddressGuard } from '../../infra/egress/guarded-addresses.ts'
import { OutboundError } from '../../infra/egress/outbound-error.ts'
import {
  readConnectionBaseUrl,
  readEndpointUrl,
  readPageUrl,
} from '../../rules/addresses/merchant-url.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'

const KINDS = {
  endpoint: { field: 'url', read: readEndpointUrl, maxChars: DELIVERY_LIMITS.urlChars },
  connection: {
    field: 'baseUrl',
    read: readConnectionBaseUrl,
    maxChars: CALL_LIMITS.baseUrlChars,
  },
  page: { field: 'url', read: readPageUrl, maxChars: KNOWLEDGE_LIMITS.urlChars },
} as const

/**
 * Returns the normalised URL of an endpoint, a web page or a connection, once its host resolves to public addresses
 * only. Addresses are checked again before every connection.
 *
 * @throws invalid on the field `url` or `baseUrl`; a failed look-up has the code `url_not_found`, unlike a refused
 * address. Spec: Deliveries › Endpoint; Calls › Connections; Assistant › Knowledge.
 */
export async function requirePublicUrl(
  guard: AddressGuard,
  kind: keyof typeof KINDS,
  raw: string,
): Promise<string> {
  const { field, read, maxChars } = KINDS[kind]
  const refusal = (rule: Fact) =>
    new ServiceError('invalid', fact('url_cannot_be_used'), { errors: [{ field, ...rule }] })
  const url = read(raw.trim(), guard.isAllowedAddress)
  if (!url.ok) {
    throw refusal(
      url.reason === 'too_long'
        ? fact('url_too_long', { max: maxChars })
        : fact(`url_${url.reason}`),
    )
  }
  const signal = AbortSignal.timeout(DELIVERY_LIMITS.connectMs)
  try {
    await guardedAddresses(url.value.hostname, { ...guard, signal })
  } catch (error) {
    if (error instanceof OutboundError && error.code === 'address_refused') {
      throw refusal(fact('url_address'))
    }
    if (error instanceof OutboundError || signal.aborted) {
      throw refusal(fact('url_not_found'))
    }
    throw error
  }
  return url.value.href
}
