import { fact } from '../../core/facts/fact.ts'
import type { LookupFunction } from 'node:net'
import {
  connect as connectTls,
  type ConnectionOptions,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import { readIpv4, readIpv6 } from '../../rules/addresses/ip-address.ts'
import { guardedAddresses, type AddressGuard } from './guarded-addresses.ts'
import { OutboundError } from './outbound-error.ts'
import { explainConnectFailure } from './explain-failure.ts'
import { unlessAborted } from './resolve.ts'

/** Node's default of 250 ms gives up on a distant merchant's address before it can answer. */
const NEXT_ADDRESS_AFTER_MS = 1_000

/** The durations of the DNS lookup, and of TCP and TLS together; null for a phase that did not happen. */
export type OpenTimings = { dnsMs: number | null; connectMs: number | null }

/** The server to connect to. */
export type SocketTarget = { hostname: string; port: number }

/** TLS passes these on to TCP; its types do not say so. */
type NextAddressOptions = { autoSelectFamily: boolean; autoSelectFamilyAttemptTimeout: number }

/** The phase of an opening connection, which names its timeout. */
type Phase = 'dns' | 'tcp' | 'tls'

/**
 * Opens a guarded TLS connection to a merchant's server: host rule, DNS lookup, check of every address, pinned
 * connection, verified certificate. It compares the peer's address before any byte is written. `openMs` limits all of
 * it, and `timings` is filled meanwhile.
 * @throws OutboundError
 */
export async function openSocket(
  { hostname, port }: SocketTarget,
  {
    guard,
    secureContext,
    openMs,
    timings,
  }: { guard: AddressGuard; secureContext: SecureContext; openMs: number; timings: OpenTimings },
): Promise<TLSSocket> {
  const opening = new AbortController()
  const { signal } = opening
  let phase: Phase = 'dns'
  const timer = setTimeout(() => opening.abort(tooSlow(phase, openMs)), Math.max(0, openMs))
  try {
    const startedAt = performance.now()
    const addresses = await unlessAborted(guardedAddresses(hostname, { ...guard, signal }), signal)
      // A literal address needs no look-up; the time of a cached answer is still reported.
      .finally(() => (timings.dnsMs = readIpv4(hostname) === null ? since(startedAt) : null))
    phase = 'tcp'
    const connectedFrom = performance.now()
    const onTcp = () => (phase = 'tls')
    return await connectPinned({ hostname, port, addresses, secureContext, signal, onTcp }).finally(
      () => (timings.connectMs = since(connectedFrom)),
    )
  } finally {
    clearTimeout(timer)
  }
}

const since = (start: number): number => performance.now() - start

/**
 * Connects to one of the given addresses and no other, whatever the name resolves to now. Rejects with an
 * OutboundError or the signal's reason, and leaves no socket open.
 */
export function connectPinned({
  hostname,
  port,
  addresses,
  secureContext,
  signal,
  onTcp,
}: SocketTarget & {
  addresses: string[]
  secureContext: SecureContext
  signal: AbortSignal
  onTcp: () => void
}): Promise<TLSSocket> {
  const pinned = new Set(addresses.map(comparable))
  const isPinned = (socket: TLSSocket) => pinned.has(comparable(socket.remoteAddress ?? ''))
  return new Promise((resolve, reject) => {
    const options: ConnectionOptions & NextAddressOptions = {
      host: hostname,
      port,
      // The server name extension allows only names.
      servername: readIpv4(hostname) === null ? hostname : '',
      secureContext,
      // An explicit option, because the environment could otherwise turn verification off.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      lookup: pinnedLookup(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    }
    const socket = connectTls(options)
    socket.setNoDelay(true)
    let isTcpOpen = false
    const fail = (error: Error) => {
      signal.removeEventListener('abort', onAbort)
      socket.destroy()
      reject(error)
    }
    const onAbort = () => fail(signal.reason as Error)
    const onError = (error: Error) => fail(explainConnectFailure(error, isTcpOpen))
    const strayed = () => new OutboundError('address_refused', fact('connection_led_elsewhere'))
    signal.addEventListener('abort', onAbort, { once: true })
    // A listener for the socket's whole life: between requests, and while it is closed, there is no other.
    socket.on('error', () => undefined)
    socket.once('error', onError)
    socket.once('connect', () => {
      if (!isPinned(socket)) return fail(strayed())
      isTcpOpen = true
      onTcp()
    })
    socket.once('secureConnect', () => {
      if (!isPinned(socket)) return fail(strayed())
      signal.removeEventListener('abort', onAbort)
      socket.off('error', onError)
      resolve(socket)
    })
  })
}

function pinnedLookup(addresses: string[]): LookupFunction {
  const pins = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return (_hostname, options, callback) => {
    if (options.all) callback(null, pins)
    else callback(null, pins[0]?.address ?? '', pins[0]?.family)
  }
}

const comparable = (address: string): string => readIpv6(address)?.join(':') ?? address

function tooSlow(phase: Phase, openMs: number): OutboundError {
  const seconds = Math.round(openMs / 100) / 10
  switch (phase) {
    case 'dns':
      return new OutboundError('dns_failed', fact('host_lookup_slow', { seconds }))
    case 'tcp':
      return new OutboundError('connect_timeout', fact('connection_slow', { seconds }))
    case 'tls':
      return new OutboundError('tls_failed', fact('tls_slow', { seconds }))
  }
}
