import { NETWORK_SHARES } from '../../core/limits/http.ts'

/** A network against whose limits a client counts, and its limits as multiples of those of one address. */
type CountedNetwork = {
  name: string
  /** The factor for limits of requests, attempts and bytes in a time. */
  rate: number
  /** The factor for shared capacity of a process: connections, memory for bodies. */
  pool: number
}

const ITSELF = { rate: 1, pool: 1 }
const END = '::/64'

/**
 * Returns the address ranges against whose limits a client is counted, its own address first. A customer with an IPv6
 * line owns a /56 or a /48 and can change its /64 at will, so these networks have limits too. An IPv4 address counts
 * alone.
 * @param address an IPv4 address, or `a:b:c:d::/64` with its four groups
 */
export function networksOf(address: string): CountedNetwork[] {
  const own = { name: address, ...ITSELF }
  if (!address.endsWith(END)) return [own]
  const groups = address.slice(0, -END.length).split(':')
  if (groups.length !== 4) return [own]
  const site = groups.slice(0, 3).join(':')
  const subnet = Number.parseInt(groups[3]!, 16) & 0xff00
  return [
    own,
    { name: `${site}:${subnet.toString(16)}::/56`, ...NETWORK_SHARES.of56 },
    { name: `${site}::/48`, ...NETWORK_SHARES.of48 },
  ]
}
