import { fact } from '../../core/facts/fact.ts'
import { promises as dns } from 'node:dns'
import { OutboundError } from './outbound-error.ts'

/** Finds all addresses of a host name. Rejects with an OutboundError, or the signal's reason. */
export type Resolve = (host: string, options: { signal: AbortSignal }) => Promise<string[]>

const QUERY_TIMEOUT_MS = 1_500
const QUERY_TRIES = 2
/** Longest wait for the other address family once one of them has answered. */
const OTHER_FAMILY_GRACE_MS = 250
/** Maximum of addresses of a name. All are checked and cached; no public server has nearly as many. */
const MAX_ADDRESSES = 256
const MAX_CACHED_NAMES = 5_000
const SHORTEST_CACHED_MS = 1_000
const LONGEST_CACHED_MS = 5 * 60_000
const NO_ADDRESS_CACHED_MS = 30_000
/** Short cache time for server failures, which may end immediately. */
const TROUBLE_CACHED_MS = 2_000

type Found = { addresses: string[]; cachedMs: number } | { error: OutboundError; cachedMs: number }
type LookUp = { found: Promise<Found>; waiting: number; cancel: () => void }

/**
 * Creates a resolver that looks names up through c-ares, always as absolute names: no hosts file, no search domains,
 * no short spellings of addresses, and none of libuv's four threads. One family may fail. Answers are cached for
 * their time to live (1 s to 5 min), failures for at most 30 s. Simultaneous look-ups of one name share a query.
 * `servers` and `now` (milliseconds) are for tests.
 */
export function createResolver({
  servers,
  now = () => performance.now(),
}: { servers?: string[]; now?: () => number } = {}): Resolve {
  const cache = new Map<string, { found: Found; until: number }>()
  const inProgress = new Map<string, LookUp>()

  const start = (host: string): LookUp => {
    const resolver = new dns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES })
    if (servers) resolver.setServers(servers)
    const found = query(resolver, `${host}.`)
    const lookUp: LookUp = { found, waiting: 0, cancel: () => resolver.cancel() }
    inProgress.set(host, lookUp)
    void found.then((result) => {
      // The look-up was cancelled and perhaps started again, so its result is ignored.
      if (inProgress.get(host) !== lookUp) return
      inProgress.delete(host)
      const oldest = cache.keys().next()
      if (cache.size >= MAX_CACHED_NAMES && !oldest.done) cache.delete(oldest.value)
      cache.set(host, { found: result, until: now() + result.cachedMs })
    })
    return lookUp
  }

  return async (host, { signal }) => {
    signal.throwIfAborted()
    const name = host.toLowerCase()
    const cached = cache.get(name)
    if (cached && cached.until > now()) return addressesOf(cached.found)
    cache.delete(name)
    const lookUp = inProgress.get(name) ?? start(name)
    lookUp.waiting++
    try {
      return addressesOf(await unlessAborted(lookUp.found, signal))
    } finally {
      // The last waiter to abort cancels the queries, whose failure no code awaits.
      if (--lookUp.waiting === 0 && signal.aborted) {
        inProgress.delete(name)
        lookUp.cancel()
      }
    }
  }
}

function addressesOf(found: Found): string[] {
  if ('error' in found) throw found.error
  return found.addresses
}

async function query(resolver: dns.Resolver, name: string): Promise<Found> {
  const families = [resolver.resolve4(name, { ttl: true }), resolver.resolve6(name, { ttl: true })]
  const settled = Promise.allSettled(families)
  // Any answer starts the grace of the other family; failures alone do not.
  const grace = Promise.any(families).then(
    () => new Promise<void>((resolve) => setTimeout(resolve, OTHER_FAMILY_GRACE_MS).unref()),
    () => undefined,
  )
  await Promise.race([settled, grace])
  resolver.cancel()
  const results = await settled
  const records = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  if (records.length > MAX_ADDRESSES) {
    const tooMany = new OutboundError('dns_failed', fact('host_of_too_many_addresses'))
    return { error: tooMany, cachedMs: NO_ADDRESS_CACHED_MS }
  }
  if (records.length > 0) {
    const addresses = records.map(({ address }) => address)
    const ttlMs = Math.min(...records.map(({ ttl }) => ttl)) * 1_000
    return { addresses, cachedMs: Math.min(Math.max(ttlMs, SHORTEST_CACHED_MS), LONGEST_CACHED_MS) }
  }
  return failure(results.map((result) => (result as PromiseRejectedResult).reason as unknown))
}

function failure(reasons: unknown[]): Found {
  const codes = reasons.map((reason) => (reason as NodeJS.ErrnoException | undefined)?.code)
  if (codes.every((code) => code === 'ENOTFOUND' || code === 'ENODATA' || code === undefined)) {
    const none = new OutboundError('dns_failed', fact('host_without_address'))
    return { error: none, cachedMs: NO_ADDRESS_CACHED_MS }
  }
  const silent = new OutboundError('dns_failed', fact('name_servers_silent'))
  return { error: silent, cachedMs: TROUBLE_CACHED_MS }
}

/** Waits for a promise no longer than the signal allows; rejects with the signal's reason. */
export function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
