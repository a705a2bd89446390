/**
 * The limit of cached entries per time zone and format. Members name the zones, and the runtime accepts each name in
 * any case, so that there are more keys than zones.
 */
export const MAX_CACHED_FORMATS = 1_000

/** A cache of formatters, which are slow to create. */
export type FormatCache = {
  /** Returns the formatter of a key; creates it by `make` if necessary. */
  get(key: string, make: () => Intl.DateTimeFormat): Intl.DateTimeFormat
  /** Returns the number of cached formatters. */
  size(): number
}

/** Creates a cache of formatters. A full cache is emptied. */
export function createFormatCache(): FormatCache {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return {
    get(key, make) {
      const known = formats.get(key)
      if (known) return known
      if (formats.size >= MAX_CACHED_FORMATS) formats.clear()
      const format = make()
      formats.set(key, format)
      return format
    },
    size: () => formats.size,
  }
}
