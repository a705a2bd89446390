/** A host name has 253 characters at most; a longer origin is no address. */
const MOST_ORIGIN_CHARS = 300

export type RedirectTarget =
  | { kind: 'elsewhere'; origin: string }
  | { kind: 'same_server' }
  | { kind: 'unknown' }

/**
 * Reads where a redirect leads from its `Location`. Only the origin is told: path and query may carry what the server
 * gave this caller alone, such as a signed link.
 */
export function redirectTarget(
  from: string,
  headers: readonly (readonly [string, string])[],
): RedirectTarget {
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  const target = location === undefined ? null : URL.parse(location, from)
  if (target === null || !/^https?:$/.test(target.protocol)) return { kind: 'unknown' }
  if (target.origin.length > MOST_ORIGIN_CHARS) return { kind: 'unknown' }
  return target.origin === new URL(from).origin
    ? { kind: 'same_server' }
    : { kind: 'elsewhere', origin: target.origin }
}
