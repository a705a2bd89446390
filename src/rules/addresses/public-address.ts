import { readIpv4, readIpv6 } from './ip-address.ts'

/** IPv4 ranges that no outbound call may reach: [first address, prefix length]. */
const REFUSED_IPV4: [string, number][] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, cloud metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
  ['168.63.129.16', 32], // Azure's host agent answers on this public-looking address
]

const REFUSED_IPV4_SPANS = REFUSED_IPV4.map(([text, prefix]) => {
  const first = readIpv4(text) ?? 0
  return { first, last: first + 2 ** (32 - prefix) - 1 }
})

const isPublicIpv4 = (address: number): boolean =>
  !REFUSED_IPV4_SPANS.some(({ first, last }) => address >= first && address <= last)

/**
 * IPv6 is an allow-list: global unicast 2000::/3 without its special parts, and NAT64's well-known
 * prefix. Everything else (mapped, compatible, SIIT, unique-local, multicast, ...) is refused.
 */
function isPublicIpv6(groups: number[]): boolean {
  const [g0 = 0, g1 = 0] = groups
  if (!isNat64(groups) && (g0 & 0xe000) !== 0x2000) return false
  if (g0 === 0x2001 && g1 < 0x200) return false // protocol assignments, Teredo
  if (g0 === 0x2001 && g1 === 0xdb8) return false // documentation
  if (g0 === 0x2002) return false // 6to4
  if (g0 === 0x3fff && g1 < 0x1000) return false // documentation
  const embedded = embeddedIpv4(groups)
  return embedded === null || isPublicIpv4(embedded)
}

/** Returns whether an address has the prefix by which a DNS64 network reaches servers that have IPv4 alone. */
function isNat64([g0, g1, ...rest]: number[]): boolean {
  return g0 === 0x64 && g1 === 0xff9b && rest.slice(0, 4).every((group) => group === 0)
}

/** Returns the IPv4 address inside an address of NAT64's well-known prefix or of ISATAP; null for any other. */
function embeddedIpv4(groups: number[]): number | null {
  const [g4 = 0, g5 = 0, g6 = 0, g7 = 0] = groups.slice(4)
  const isIsatap = (g4 & 0xff) === 0 && g5 === 0x5efe
  return isIsatap || isNat64(groups) ? g6 * 65_536 + g7 : null
}

/** Returns the IPv4 address that a NAT64 or ISATAP address leads to, dotted; any other text unchanged. */
export function addressLedTo(address: string): string {
  const groups = readIpv6(address)
  const embedded = groups && embeddedIpv4(groups)
  if (embedded === null) return address
  return [24, 16, 8, 0].map((bits) => Math.floor(embedded / 2 ** bits) % 256).join('.')
}

/**
 * Decides whether an outbound call may connect to this address. Only a canonical literal can be
 * public: dotted decimal without leading zeros, or IPv6 without brackets and zone.
 * Spec: Calls › Where the service connects; reading C14.
 */
export function isPublicAddress(address: string): boolean {
  const ipv4 = readIpv4(address)
  if (ipv4 !== null) return isPublicIpv4(ipv4)
  const ipv6 = readIpv6(address)
  return ipv6 !== null && isPublicIpv6(ipv6)
}
