import { fact } from '../../core/facts/fact.ts'
import { isForbiddenHost } from '../../rules/addresses/merchant-url.ts'
import { readIpv4 } from '../../rules/addresses/ip-address.ts'
import { OutboundError } from './outbound-error.ts'
import type { Resolve } from './resolve.ts'

/** A resolver, and the rule by which the resolved addresses are allowed. */
export type AddressGuard = {
  resolve: Resolve
  isAllowedAddress: (address: string) => boolean
}

/** Maximum of addresses that are tried; all are checked. */
const MAX_PINNED = 32

/**
 * Returns the addresses that a connection to this host may be pinned to. One refused address refuses the host, at any
 * position: a DNS answer is never filtered. It runs when a URL is saved and before every connection. Spec: Calls ›
 * Where the service connects.
 *
 * @throws OutboundError `url_refused`, `address_refused` or `dns_failed`; the abort reason when `signal` aborts
 */
export async function guardedAddresses(
  hostname: string,
  { resolve, isAllowedAddress, signal }: AddressGuard & { signal: AbortSignal },
): Promise<string[]> {
  if (isForbiddenHost(hostname)) {
    throw new OutboundError('url_refused', fact('host_not_public'))
  }
  // Sockets skip the look-up for a literal address, so it has to be checked here.
  const isLiteral = readIpv4(hostname) !== null
  const addresses = isLiteral ? [hostname] : await resolve(hostname, { signal })
  if (addresses.length === 0) {
    throw new OutboundError('dns_failed', fact('host_without_address'))
  }
  if (!addresses.every(isAllowedAddress)) {
    throw new OutboundError(
      'address_refused',
      fact(isLiteral ? 'address_not_public' : 'host_leads_inside'),
    )
  }
  return addresses.slice(0, MAX_PINNED)
}
