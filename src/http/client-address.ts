import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { readIpv6 } from '../rules/addresses/ip-address.ts'

/** Every machine of one network has its own last half of an IPv6 address, as many as it likes. */
const NETWORK_GROUPS = 4
/** More proxies in a row than anyone has. */
const MOST_HOPS = 32

/** Whom a request is counted for: an IPv4 address, or the /64 of an IPv6 address. */
export type ClientAddress = (request: IncomingMessage) => string

/**
 * The client is the socket's peer. When that is a trusted proxy, `X-Forwarded-For` is read from its
 * end: the first address that is not a trusted proxy is the client. What a client writes in that
 * header itself stands before, and is never reached.
 *
 * Spec: reading H12.
 */
export function createClientAddress(trusted: { has(address: string): boolean }): ClientAddress {
  return (request) => {
    const peer = addressOf(request.socket)
    if (!trusted.has(peer)) return countedAs(peer)
    const forwarded = request.headers['x-forwarded-for']
    const hops = String(forwarded ?? '')
      .split(',')
      .slice(-MOST_HOPS)
      .map((hop) => plain(hop.trim()))
      .toReversed()
    let client = peer
    for (const hop of hops) {
      if (hop === '') break
      client = hop
      if (!trusted.has(hop)) break
    }
    return countedAs(client)
  }
}

/** The other end of a connection, as it is itself. */
export function addressOf(socket: Pick<Socket, 'remoteAddress'>): string {
  return plain(socket.remoteAddress ?? '')
}

/** Without zone, brackets and port; an IPv4 address that came mapped into IPv6 is itself again. */
function plain(address: string): string {
  const bare = address
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%[^]*$/, '')
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare
}

/** Whom an address is counted for. */
export function countedAs(address: string): string {
  const groups = readIpv6(address)
  if (groups === null) return address
  return `${groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}
