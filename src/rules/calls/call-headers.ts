/** Names that only the service may set, because they describe the connection or override the method. */
const REFUSED_NAMES = new Set([
  'authorization',
  'cookie',
  'host',
  'content-type',
  'content-length',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'forwarded',
  'set-cookie',
  'user-agent',
  'accept-encoding',
  'content-encoding',
  'http2-settings',
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  // Headers in which proxies report the client or the target of a request.
  'via',
  'cdn-loop',
  'x-real-ip',
  'x-client-ip',
  'client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-originating-ip',
  'x-envoy-external-address',
  'true-client-ip',
  'fastly-client-ip',
  'x-original-url',
  'x-original-host',
  'x-rewrite-url',
  'x-host',
])
const REFUSED_PREFIXES = ['proxy-', 'sec-', 'x-forwarded-', 'cf-']

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** The reasons for which a header's name cannot be used. */
export type HeaderNameRefusal = 'empty' | 'bad_character' | 'not_settable'

/**
 * Validates the name of a header that a connection, a step or an action sets, in any letter case. Returns null for a
 * usable name.
 * Spec: Calls › Headers; reading C6.
 */
export function validateHeaderName(name: string): HeaderNameRefusal | null {
  if (name === '') return 'empty'
  if (!TOKEN.test(name)) return 'bad_character'
  const lower = name.toLowerCase()
  const isRefused =
    REFUSED_NAMES.has(lower) || REFUSED_PREFIXES.some((prefix) => lower.startsWith(prefix))
  return isRefused ? 'not_settable' : null
}

/**
 * Returns why a header cannot carry a connection's key, by its name; null when it can. `Authorization` can, too.
 */
export function validateKeyHeaderName(name: string): HeaderNameRefusal | null {
  return name.toLowerCase() === 'authorization' ? null : validateHeaderName(name)
}

/** Returns whether a header's name suggests a secret: `X-Api-Key`, `Shop-Token`, but not `X-Author`. */
export function namesSecret(name: string): boolean {
  return /key|token|secret|auth(?!or(?!i[sz]))/i.test(name)
}

/** Returns whether a value would end its header: line breaks and other control characters except tab. */
export function breaksHeader(value: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return /[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)
}

/**
 * Returns whether a value has only ASCII characters. Servers decode others differently, and in a key they are a slip: a
 * typographic dash, or an invisible mark that was copied with it.
 */
export function isAscii(value: string): boolean {
  // oxlint-disable-next-line no-control-regex -- all of ASCII; control characters are refused elsewhere
  return !/[^\u0000-\u007f]/.test(value)
}

/** Returns the headers with one set, replacing those of the same name in any letter case. */
export function setHeader(
  headers: readonly (readonly [string, string])[],
  name: string,
  value: string,
): [string, string][] {
  const lower = name.toLowerCase()
  const others = headers.filter(([other]) => other.toLowerCase() !== lower)
  return [...others.map(([other, text]): [string, string] => [other, text]), [name, value]]
}
