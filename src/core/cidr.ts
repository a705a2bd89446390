import { BlockList, isIP } from 'node:net'

/** Returns whether the text is `address/prefix`, IPv4 or IPv6. */
export function isCidr(text: string): boolean {
  return readCidr(text) !== null
}

/**
 * Returns a set of address ranges; `has` returns whether an address is in one of them.
 * @throws when a range is invalid; the configuration has checked them before
 */
export function createCidrList(ranges: readonly string[]): { has(address: string): boolean } {
  const lists = { 4: new BlockList(), 6: new BlockList() }
  for (const range of ranges) {
    const cidr = readCidr(range)
    if (!cidr) throw new Error(`"${range}" is not a CIDR range`)
    lists[cidr.family].addSubnet(cidr.address, cidr.prefix, `ipv${cidr.family}`)
  }
  return {
    has(address) {
      // With the wrong family a list would check another address.
      const family = isIP(address)
      return (family === 4 || family === 6) && lists[family].check(address, `ipv${family}`)
    },
  }
}

function readCidr(text: string): { address: string; prefix: number; family: 4 | 6 } | null {
  const [address, prefix, ...rest] = text.split('/')
  const family = isIP(address ?? '')
  if ((family !== 4 && family !== 6) || rest.length > 0 || !/^\d{1,3}$/.test(prefix ?? ''))
    return null
  const bits = Number(prefix)
  return bits <= (family === 4 ? 32 : 128) ? { address: address!, prefix: bits, family } : null
}
