import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { KNOWLEDGE_LIMITS } from '../../core/limits/knowledge.ts'
import { readIpv4 } from './ip-address.ts'
import { isPublicAddress } from './public-address.ts'
import { isPunycodeLabel } from './punycode-label.ts'
import { accept, refuse, type Result } from '../result.ts'

/** The reasons for which a merchant's URL is refused. */
export type UrlRefusal =
  | 'empty'
  | 'too_long'
  | 'bad_character'
  | 'not_https'
  | 'userinfo'
  | 'query'
  | 'fragment'
  | 'dot_segment'
  | 'invalid'
  | 'port'
  | 'ip_spelling'
  | 'address'
  | HostRefusal

/** The reasons for which a host name is refused. */
export type HostRefusal = 'no_dot' | 'host' | 'suffix'

/** A checked URL in the form in which it is stored and connected to. */
export type MerchantUrl = {
  href: string
  origin: string
  /** Lower-case ASCII, without brackets or a root dot. */
  hostname: string
  /** `hostname`, and the port when it is not 443. */
  host: string
  port: number
  /** Percent-encoded, begins with `/`. */
  path: string
  /** Empty, or begins with `?`. */
  query: string
}

const REFUSED_SUFFIXES = ['local', 'internal', 'localdomain', 'home.arpa']

/** Ports of the Fetch standard's list: services that a stray HTTP request could upset. */
const REFUSED_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
])

const stripRootDot = (hostname: string): string =>
  hostname.endsWith('.') ? hostname.slice(0, -1) : hostname

/**
 * Validates a host name as `URL.hostname` writes it; returns null for a usable one. IPv4 literals pass here, because
 * the address rule checks them.
 */
function validateHost(hostname: string): HostRefusal | null {
  if (hostname.startsWith('[')) return 'no_dot'
  const name = stripRootDot(hostname)
  const labels = name.split('.')
  if (labels.includes('') || name.length > 253) return 'host'
  if (labels.length < 2) return 'no_dot'
  if (readIpv4(name) !== null) return null
  if (labels.some((label) => !/^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))) return 'host'
  if (labels.some((label) => label.startsWith('xn--') && !isPunycodeLabel(label))) return 'host'
  const isRefused = REFUSED_SUFFIXES.some((end) => name === end || name.endsWith(`.${end}`))
  return isRefused ? 'suffix' : null
}

/**
 * Returns whether no call may go to a host name, whatever it resolves to. The guard checks it again before every
 * connection. Spec: Calls › Where the service connects.
 */
export const isForbiddenHost = (hostname: string): boolean => validateHost(hostname) !== null

/** Returns whether no call may go to this port. */
export const isForbiddenPort = (port: number): boolean => REFUSED_PORTS.has(port)

/**
 * Returns whether a raw path has a `.` or `..` segment, also spelled `%2e`, and also between encoded or backward
 * slashes, which some servers read as separators.
 */
export function hasDotSegment(path: string): boolean {
  const plain = path.replace(/%2e/gi, '.').replace(/%2f|%5c|\\/gi, '/')
  return plain.split('/').some((segment) => segment === '.' || segment === '..')
}

/**
 * Reads the URL of a webhook endpoint. Looks at the raw text first, because a URL parser silently
 * repairs what must be refused. Does not resolve the name. `isAllowedAddress` judges an IPv4
 * literal. Spec: Deliveries › Endpoint.
 */
export function readEndpointUrl(
  raw: string,
  isAllowedAddress: (address: string) => boolean = isPublicAddress,
): Result<MerchantUrl, UrlRefusal> {
  return readUrl(raw, DELIVERY_LIMITS.urlChars, false, isAllowedAddress)
}

/**
 * Reads the base URL of an API connection: as an endpoint's, and without query and dot segments.
 * Spec: Calls › Connections.
 */
export function readConnectionBaseUrl(
  raw: string,
  isAllowedAddress: (address: string) => boolean = isPublicAddress,
): Result<MerchantUrl, UrlRefusal> {
  return readUrl(raw, CALL_LIMITS.baseUrlChars, true, isAllowedAddress)
}

/** Reads the address of a web page that the assistant learns from: as an endpoint's. Spec: Assistant › Knowledge. */
export function readPageUrl(
  raw: string,
  isAllowedAddress: (address: string) => boolean = isPublicAddress,
): Result<MerchantUrl, UrlRefusal> {
  return readUrl(raw, KNOWLEDGE_LIMITS.urlChars, false, isAllowedAddress)
}

function readUrl(
  raw: string,
  maxChars: number,
  isBase: boolean,
  isAllowedAddress: (address: string) => boolean,
): Result<MerchantUrl, UrlRefusal> {
  const text = validateRawText(raw, maxChars, isBase)
  if (text !== null) return refuse(text)
  if (!URL.canParse(raw)) return refuse('invalid')
  const url = new URL(raw)
  const host = validateHost(url.hostname)
  if (host !== null) return refuse(host)
  if (readIpv4(stripRootDot(url.hostname)) !== null) {
    if (rawHost(raw) !== url.hostname) return refuse('ip_spelling')
    if (!isAllowedAddress(url.hostname)) return refuse('address')
  }
  const port = url.port === '' ? 443 : Number(url.port)
  if (isForbiddenPort(port)) return refuse('port')
  // A server that is sent a root dot in SNI and Host often answers for no site at all.
  url.hostname = stripRootDot(url.hostname)
  return accept({
    href: url.href,
    origin: url.origin,
    hostname: url.hostname,
    host: url.host,
    port,
    path: url.pathname,
    query: url.search,
  })
}

function validateRawText(raw: string, maxChars: number, isBase: boolean): UrlRefusal | null {
  if (raw === '') return 'empty'
  if (raw.length > maxChars * 2 || [...raw].length > maxChars) return 'too_long'
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0020\u007f\\]/.test(raw) || !raw.isWellFormed()) return 'bad_character'
  if (!/^https:\/\/[^/?#]/i.test(raw)) return 'not_https'
  const authority = rawAuthority(raw)
  if (authority.includes('@')) return 'userinfo'
  if (authority.includes('%')) return 'host'
  if (raw.includes('#')) return 'fragment'
  if (!isBase) return null
  if (raw.includes('?')) return 'query'
  return hasDotSegment(raw.slice('https://'.length + authority.length)) ? 'dot_segment' : null
}

const rawAuthority = (raw: string): string =>
  raw.slice('https://'.length).split(/[/?#]/, 1)[0] ?? ''

const rawHost = (raw: string): string => rawAuthority(raw).replace(/:\d*$/, '')
