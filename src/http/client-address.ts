import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { readIpv6 } from '../rules/addresses/ip-address.ts'

/** The number of 16-bit groups in an IPv6 network prefix: a machine can choose any last half of its address. */
const NETWORK_GROUPS = 4
/** Maximum number of proxies in a row, far above what deployments use. */
const MAX_HOPS = 32

/** Returns the address that a request is counted for: an IPv4 address, or the /64 of an IPv6 address. */
export type ClientAddress = (request: IncomingMessage) => string

/**
 * Returns the function that finds a request's client. That is the socket's peer, unless the peer is a trusted proxy.
 * Then it is the last address of `X-Forwarded-For` that is not a trusted proxy. Entries that a client forges come
 * before that one, so they are never used.
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
      .slice(-MAX_HOPS)
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

/** Returns the address of the other end of a connection, in plain form. */
export function addressOf(socket: Pick<Socket, 'remoteAddress'>): string {
  return plain(socket.remoteAddress ?? '')
}

/** Returns an address without zone, brackets and port, and an IPv4-mapped IPv6 address as IPv4. */
function plain(address: string): string {
  const bare = address
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%[^]*$/, '')
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare
}

/** Returns the key that an address is counted by: an IPv6 address counts as its /64. */
export function countedAs(address: string): string {
  const groups = readIpv6(address)
  if (groups === null) return address
  return `${groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}
