/** Written by the service alone, about the connection and not about the call, or another method. */
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
  // What a proxy says of who asks, or of where a request leads.
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

/** Why a header's name cannot be used; null when it can. */
export type HeaderNameRefusal = 'empty' | 'bad_character' | 'not_settable'

/**
 * Judges the name of a header that a connection, a step or an action sets, in any letter case.
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

/** The same for the header that carries a connection's key: that one may be `Authorization`. */
export function validateKeyHeaderName(name: string): HeaderNameRefusal | null {
  return name.toLowerCase() === 'authorization' ? null : validateHeaderName(name)
}

/** Whether a header's name says that its value is a secret: `X-Api-Key`, `Shop-Token`, but not `X-Author`. */
export function namesSecret(name: string): boolean {
  return /key|token|secret|auth(?!or(?!i[sz]))/i.test(name)
}

/** True for a value that would end its header: line breaks and other control characters but tab. */
export function breaksHeader(value: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return /[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)
}

/**
 * False for a value with characters outside ASCII. Servers read those as they like, and in a key they
 * are a slip: a typographic dash, an invisible mark that was copied too.
 */
export function isAscii(value: string): boolean {
  // oxlint-disable-next-line no-control-regex -- all of ASCII; control characters are refused elsewhere
  return !/[^\u0000-\u007f]/.test(value)
}

/** Sets a header in a list, in the place of those of the same name in any letter case. */
export function setHeader(
  headers: readonly (readonly [string, string])[],
  name: string,
  value: string,
): [string, string][] {
  const lower = name.toLowerCase()
  const others = headers.filter(([other]) => other.toLowerCase() !== lower)
  return [...others.map(([other, text]): [string, string] => [other, text]), [name, value]]
}
