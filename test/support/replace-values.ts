/** Takes values apart, so that each of their parts can be replaced: for readers that must accept any value. */

export function listPaths(value: unknown, path: string[] = []): string[][] {
  const inside =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => listPaths(inner, [...path, key]))
      : []
  return [path, ...inside]
}

/** Returns the same value with another one at a path. */
export function replaceAt(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
  if (key === undefined) {
    return by
  }
  const entries = Object.entries(value as object).map(([name, inner]) => [
    name,
    name === key ? replaceAt(inner, rest, by) : inner,
  ])
  return Array.isArray(value)
    ? entries.map(([, inner]) => inner as unknown)
    : Object.fromEntries(entries)
}
