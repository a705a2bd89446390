/** The limit of an origin's length. A host name has at most 253 characters. */
const MAX_ORIGIN_CHARS = 300

/** The target of a redirect: another origin, the same server, or an address that cannot be parsed or shown. */
export type RedirectTarget =
  | { kind: 'elsewhere'; origin: string }
  | { kind: 'same_server' }
  | { kind: 'unknown' }

/**
 * Classifies where a refused redirect leads, for its error: to another origin, within the same server, or unknown.
 * Returns only the origin, because path and query may carry data for this caller alone, such as a signed link.
 */
export function classifyRedirect(
  from: string,
  headers: readonly (readonly [string, string])[],
): RedirectTarget {
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  const target = location === undefined ? null : URL.parse(location, from)
  if (target === null || !/^https?:$/.test(target.protocol)) return { kind: 'unknown' }
  if (target.origin.length > MAX_ORIGIN_CHARS) return { kind: 'unknown' }
  return target.origin === new URL(from).origin
    ? { kind: 'same_server' }
    : { kind: 'elsewhere', origin: target.origin }
}
